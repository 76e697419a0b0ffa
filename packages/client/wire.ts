import type { z } from 'zod';
import type { operations } from '../../lib/contract/operations.ts';

// Types of the API, derived from the contract. The packed package has the same names with their shapes written out.

export type { CatalogEntry as Architecture } from '../../lib/contract/catalog-entry.ts';
export type {
  CharacterWire as Character,
  ReferenceWire as Reference,
  UploadTicketWire as UploadTicket,
  UploadWire as Upload,
} from '../../lib/contract/cast-schemas.ts';
export type {
  RecipeEstimateWire as RecipeEstimate,
  RecipeWire as Recipe,
  RunWire as Run,
} from '../../lib/contract/recipe-schemas.ts';
export type {
  AccountWire as Account,
  EstimateWire as Estimate,
  LedgerEntryWire as LedgerEntry,
  RequestDetailWire as GenerationDetail,
  RequestWire as Generation,
  ResultWire as Result,
} from '../../lib/contract/schemas.ts';
export type {
  DeliveryWire as Delivery,
  MessageWire as WebhookEvent,
  WebhookWire as Webhook,
} from '../../lib/contract/webhook-schemas.ts';
export type { WireCode as ErrorCode } from '../../lib/errors.ts';

type Contract = typeof operations;
type BodyOf<O> = O extends { body: infer B extends z.ZodType } ? z.input<B> : never;
type AnswerOf<S> = S extends z.ZodType ? z.output<S> : never;

/** Every operation of `/v1`: its route, its input and its response body (`never` when there is no body). */
export type Operations = {
  [K in keyof Contract]: {
    route: `${Contract[K]['method']} ${Contract[K]['path']}`;
    params: z.input<Contract[K]['params']>;
    query: z.input<Contract[K]['query']>;
    headers: z.input<Contract[K]['headers']>;
    body: BodyOf<Contract[K]>;
    answer: AnswerOf<Contract[K]['responses'][keyof Contract[K]['responses']]>;
  };
};
