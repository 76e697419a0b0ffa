import type { Catalog, DeploymentCatalog } from './catalog.ts';
import { ApiError, apiError, GenerationError } from './errors.ts';
import { createCalls, type Calls } from './operations.ts';
import { persistWithFile, type Sender } from './send.ts';
import { upload, type Uploadable, type UploadOptions } from './upload.ts';
import { wait, type WaitOptions } from './wait.ts';
import type { Estimate, Generation, Result, UploadTicket } from './wire.ts';

/** The config of a model: typed fields for a model of the catalog, an untyped record for any other. */
export type Config<Id extends string> = Id extends keyof DeploymentCatalog
  ? DeploymentCatalog[Id]
  : Id extends keyof Catalog
    ? Catalog[Id]
    : Record<string, unknown>;
/** The ids of the catalog, which editors complete, or any other string. */
// oxlint-disable-next-line typescript/no-redundant-type-constituents -- the catalogs are empty only in this repository
type ModelId = keyof (DeploymentCatalog & Catalog) | (string & {});

export interface SubmitOptions {
  /** A new key for each submit; reuse it to retry a submit after a restart. Generated when omitted. */
  idempotencyKey?: string;
  /** Highest acceptable price in gems. A higher one throws `PriceAboveLimitError`, and nothing is charged. */
  maxGems?: number;
  signal?: AbortSignal | undefined;
}

/** A request that completed with a result. */
export type Completed = Generation & { status: 'completed'; result: Result };

export interface Client extends Calls {
  /**
   * Submits a generation and waits for its result. Throws `GenerationError` when the request fails or is cancelled. Any
   * other `ApiError` after acceptance carries the `requestId` to pass to `wait`; an abort does not, but `onUpdate` got
   * the request first.
   */
  run<Id extends ModelId>(model: Id, config: Config<Id>, options?: SubmitOptions & WaitOptions): Promise<Completed>;
  /** Submits a generation and returns the accepted request. Files in the config are uploaded first. */
  submit<Id extends ModelId>(model: Id, config: Config<Id>, options?: SubmitOptions): Promise<Generation>;
  /** Returns the price of a submit and the reasons to refuse it. Charges nothing, but uploads files in the config. */
  price<Id extends ModelId>(
    model: Id,
    config: Config<Id>,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<Estimate>;
  /** Waits until a request is final and returns it, also when it failed or was cancelled. */
  wait(request: string | Pick<Generation, 'request_id'>, options?: WaitOptions): Promise<Generation>;
  /** Uploads a file and returns its ticket, whose `url` is accepted by media fields for 30 days. */
  upload(file: Uploadable, options?: UploadOptions): Promise<UploadTicket>;
  /** Downloads a result. The body of the response is a stream. */
  download(request: Completed | Result, options?: { signal?: AbortSignal | undefined }): Promise<Response>;
}

/**
 * Creates a client for a deployment.
 *
 *     const pomona = createClient({ baseUrl: 'https://pomona.example', key });
 *     const { result } = await pomona.run('mango', { prompt: 'a lighthouse at dusk' });
 */
export function createClient(sender: Sender): Client {
  requireBase(sender);
  const calls = createCalls(sender);
  const client: Client = {
    ...calls,
    async submit(model, config, { idempotencyKey, maxGems, signal } = {}) {
      return calls.generate({
        params: { architecture: model },
        body: await withUploads(sender, config, signal),
        headers: {
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
          ...(maxGems !== undefined && { 'max-gems': String(maxGems) }),
        },
        signal,
      });
    },
    async price(model, config, { signal } = {}) {
      return calls.estimate({
        params: { architecture: model },
        body: await withUploads(sender, config, signal),
        signal,
      });
    },
    async run(model, config, options = {}) {
      const accepted = await client.submit(model, config, options);
      options.onUpdate?.(accepted);
      const request = await client.wait(accepted, options).catch((error: unknown) => {
        throw error instanceof ApiError ? afterAccepted(error, accepted.request_id) : error;
      });
      if (!isCompleted(request)) throw new GenerationError(request);
      return request;
    },
    wait: (request, options) => wait(sender, typeof request === 'string' ? request : request.request_id, options),
    upload: (file, options) => upload(sender, file, options),
    download(request, { signal } = {}) {
      const { url } = 'result' in request ? request.result : request;
      return persistWithFile(sender, url, { method: 'GET', signal });
    },
  };
  return client;
}

/**
 * Throws when the calls could reach nothing, as with a variable that is not set: they would only fail as if the server
 * were down. A page has an address that relative ones resolve against, and the caller's own `fetch` may have one.
 */
function requireBase({ baseUrl = '', fetch }: Sender): void {
  if (!/^https?:\/\//i.test(baseUrl) && !fetch && !('location' in globalThis))
    throw new TypeError(
      `baseUrl must be an http or https address, such as https://pomona.example; it is "${baseUrl}".`,
    );
}

const isCompleted = (request: Generation): request is Completed => request.result !== null;

/** Adds the id of the accepted request to an error, so that the caller can resume it instead of paying twice. */
const afterAccepted = (error: ApiError, requestId: string): ApiError =>
  apiError(
    {
      ...error,
      message: `${error.message} The request was accepted: wait('${requestId}') resumes it.`,
      requestId,
    },
    { cause: error },
  );

/** Uploads the files in a config and returns the config with their URLs in place of them. */
async function withUploads(sender: Sender, config: object, signal?: AbortSignal) {
  const address = async (value: unknown): Promise<unknown> => {
    if (value instanceof Blob) return (await upload(sender, value, { signal })).url;
    return Array.isArray(value) ? Promise.all(value.map(address)) : value;
  };
  const members = Object.entries(config).map(async ([name, value]) => [name, await address(value)] as const);
  return Object.fromEntries(await Promise.all(members));
}
