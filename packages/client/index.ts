// The public interface of the package.
export { createClient, type Client, type Completed, type Config, type SubmitOptions } from './client.ts';
export type { Catalog, DeploymentCatalog, Media } from './catalog.ts';
export { each } from './each.ts';
export {
  ApiError,
  BusyError,
  ConflictError,
  ContentBlockedError,
  ForbiddenError,
  GenerationError,
  GoneError,
  HandleTakenError,
  InsufficientGemsError,
  InvalidError,
  NotFoundError,
  PriceAboveLimitError,
  ServerError,
  UnauthorizedError,
  UnreachableError,
  type Issue,
} from './errors.ts';
export type { Input, OperationId, Output } from './operations.ts';
export type { Sender } from './send.ts';
export type { Uploadable, UploadOptions } from './upload.ts';
export { verifyWebhook, WebhookError, type VerifyOptions } from './verify-webhook.ts';
export type { WaitOptions } from './wait.ts';
export type {
  Account,
  Architecture,
  Character,
  Delivery,
  ErrorCode,
  Estimate,
  Generation,
  GenerationDetail,
  LedgerEntry,
  Recipe,
  RecipeEstimate,
  Reference,
  Result,
  Run,
  Upload,
  UploadTicket,
  Webhook,
  WebhookEvent,
} from './wire.ts';
