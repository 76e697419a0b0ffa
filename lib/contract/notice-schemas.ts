import '#lib/contract/without-eval';
import { z } from 'zod';
import { timestamp } from '#lib/contract/schemas';
import { gems, uuid } from '#lib/contract/values';
import { CHANNELS, NOTICES, type Mute } from '#lib/events';

// Wire shapes of notices under /api. Forms validate with the body schemas too.

const MUTES = NOTICES.flatMap(kind => CHANNELS.map((channel): Mute => `${kind}:${channel}`));
export const noticeSettings = z.object({
  /** A charge that leaves fewer gems than this raises a notice; null: never. */
  low_balance: gems(1).nullable(),
  /** Notices and channels that are switched off. */
  muted: z.array(z.enum(MUTES)),
});
export const notices = z.object({
  data: z.array(
    z.object({
      id: uuid,
      kind: z.enum(NOTICES),
      title: z.string(),
      text: z.string(),
      /** Path in the studio where the user can act on the notice. */
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
