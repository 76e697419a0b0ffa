import { changeSubmission } from '#components/generations/send-visit';
import type { Submission } from '#components/generations/visit';

const PERHAPS = 'It is not sent again. If it was accepted, it appears by itself and is charged once.';

/** Sends it no more. It stays, under its key: what may have been accepted is known by it. */
export const giveUp = ({ key, isUnsure, fault = PERHAPS }: Submission) =>
  changeSubmission(key, {
    refusal: {
      ...(isUnsure ? { code: 'unreachable', message: PERHAPS } : { code: 'out_of_space', message: fault }),
      issues: [],
      isGivenUp: true,
    },
  });
