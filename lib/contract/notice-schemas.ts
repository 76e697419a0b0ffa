import '#lib/contract/without-eval';
import { z } from 'zod';
import { timestamp } from '#lib/contract/schemas';
import { gems, uuid } from '#lib/contract/values';
import { CHANNELS, NOTICES, type Mute } from '#lib/events';

// Wire shapes of notices under /api. Bodies are also the schemas of the forms.

const MUTES = NOTICES.flatMap(kind => CHANNELS.map((channel): Mute => `${kind}:${channel}`));
export const noticeSettings = z.object({
  /** A charge that leaves fewer gems raises a notice; null: none does. */
  low_balance: gems(1).nullable(),
  /** What is switched off. */
  muted: z.array(z.enum(MUTES)),
});
export const notices = z.object({
  data: z.array(
    z.object({
      id: uuid,
      kind: z.enum(NOTICES),
      title: z.string(),
      text: z.string(),
      /** Where to do something about it: a path of the studio. */
      href: z.string(),
      seen: z.boolean(),
      created_at: timestamp,
    }),
  ),
  settings: noticeSettings,
  /** Whether this deployment sends mail. */
  mail: z.boolean(),
});
export const seenNotices = z.object({ newest: z.uuid('the id of a notice') });
export type NoticesWire = z.infer<typeof notices>;
