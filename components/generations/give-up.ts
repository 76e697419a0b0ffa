import { changeSubmission } from '#components/generations/send-visit';
import type { Submission } from '#components/generations/visit';

const PERHAPS = 'It is not sent again. If it was accepted, it appears by itself and is charged once.';

/** Stops sending a submission. It keeps its key, by which the server knows it if it was accepted. */
export const giveUp = ({ key, isUnsure, fault = PERHAPS }: Submission) =>
  changeSubmission(key, {
    refusal: {
      ...(isUnsure ? { code: 'unreachable', message: PERHAPS } : { code: 'out_of_space', message: fault }),
      issues: [],
      isGivenUp: true,
    },
  });
