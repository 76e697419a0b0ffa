import { z } from 'zod';
import { account, limit, secondStep, signInWay } from '#lib/contract/account-schemas';
import { apiKey } from '#lib/contract/api-key-schemas';
import { autoTopUp, payment } from '#lib/contract/gem-schemas';
import { email } from '#lib/contract/sign-in-schemas';
import { ledgerEntry, mediaType, requestStatus, timestamp } from '#lib/contract/schemas';
import { count, gems, line, uuid, wholeNumber } from '#lib/contract/values';

// Wire shapes of the operator's endpoints under /api/admin. Forms validate with the body schemas too.

const amount = z.int().min(0);

export const adminAccount = account.extend({
  disabled_at: timestamp.nullable(),
  /** Gems that `manual` top-ups may book in a calendar month (UTC). */
  top_up_limit: amount,
  live_requests: count,
});
export const adminAccountDetail = adminAccount.extend({
  sign_ins: z.array(signInWay),
  second_step: secondStep,
  keys: z.array(apiKey),
  auto_top_up: autoTopUp.nullable(),
  requests: z.object({ completed: count, failed: count, cancelled: count, live: count }),
  ledger: z.array(ledgerEntry),
  payments: z.array(payment),
});
export const patchAccount = z
  .object({
    operator: z.boolean(),
    disabled: z.boolean(),
    may_generate: z.boolean(),
    may_create_cast: z.boolean(),
    in_flight_limit: wholeNumber(0, 10_000),
    top_up_limit: gems(),
  })
  .partial();
export const grant = z.object({ gems: gems(1), reason: line(500) });
export const grantResult = z.object({ balance: amount, entry: ledgerEntry });

export const secretLink = z.object({ url: z.url(), expires_at: timestamp });
export const newInvite = z.object({ email: email.nullish(), days: wholeNumber(1, 90).default(7) });
export const invite = z.object({
  id: uuid,
  email: z.string().nullable(),
  created_at: timestamp,
  expires_at: timestamp,
  used_at: timestamp.nullable(),
});
export const createdInvite = invite.extend({ url: z.url() });

export const adminRequest = z.object({
  request_id: uuid,
  account: z.object({ id: uuid, email: z.string() }),
  status: requestStatus,
  architecture: z.string(),
  model_id: z.string(),
  type: mediaType,
  engine: z.string(),
  /** Beginning of the prompt. */
  prompt: z.string(),
  gems: amount,
  attempt: count,
  progress: z.number().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  /** Small image of the result, while the result is kept. */
  preview_url: z.url().nullable(),
  /** Error message that the account was shown. */
  error: z.string().nullable(),
  /** Cause of the failure, for the operator only. */
  failure_cause: z.string().nullable(),
});

export const adminArchitecture = z.object({
  id: z.string(),
  name: z.string(),
  type: mediaType,
  /** All model ids, including those that no engine serves. */
  model_ids: z.array(z.string()),
  /** State in effect. */
  state: z.enum(['live', 'retired']),
  /** State in the catalog file. */
  file_state: z.enum(['live', 'retired']),
  /** State that an operator set in place of the file's; null when the file decides. */
  override: z.enum(['live', 'retired']).nullable(),
  engine: z.string(),
  gems: amount,
});
export const patchArchitecture = z.object({ state: z.enum(['live', 'retired']).nullable() });

export const invariant = z.object({
  invariant: z.string(),
  title: z.string(),
  ok: z.boolean(),
  broken: count,
  examples: z.array(
    z.object({ what: z.string(), id: z.string(), found: z.string().nullable(), expected: z.string().nullable() }),
  ),
});

const facts = z.record(z.string(), z.unknown()).nullable();
export const auditEntry = z.object({
  id: uuid,
  /** E-mail address of the operator, or `command line`. */
  actor: z.string(),
  /** Name of the action, such as `account.change`, `gems.grant`, `architecture.state`. */
  act: z.string(),
  /** Object of the action: an e-mail address, an architecture or a request. */
  subject: z.string(),
  account_id: uuid.nullable(),
  before: facts,
  after: facts,
  created_at: timestamp,
});

export const limits = z.strictObject({
  data: z.array(
    limit.extend({
      of: z.enum(['account', 'address', 'process']),
      fallback: z.number(),
      /** Error code of a refusal over this limit; null where nothing is refused. */
      error: z.string().nullable(),
      metric: z.string(),
      /** How often the limit was reached in the answering process since it started. */
      reached: z.int(),
    }),
  ),
});

export type AdminAccountWire = z.infer<typeof adminAccount>;
export type AdminAccountDetailWire = z.infer<typeof adminAccountDetail>;
export type AdminRequestWire = z.infer<typeof adminRequest>;
export type AdminArchitectureWire = z.infer<typeof adminArchitecture>;
export type LimitWire = z.infer<typeof limits>['data'][number];
export type InviteWire = z.infer<typeof invite>;
export type AuditEntryWire = z.infer<typeof auditEntry>;
