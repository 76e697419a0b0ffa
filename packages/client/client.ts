import type { Catalog, DeploymentCatalog } from './catalog.ts';
import { ApiError, apiError, GenerationError } from './errors.ts';
import { createCalls, type Calls } from './operations.ts';
import { persistWithFile, type Sender } from './send.ts';
import { upload, type Uploadable, type UploadOptions } from './upload.ts';
import { wait, type WaitOptions } from './wait.ts';
import type { Estimate, Generation, Result, UploadTicket } from './wire.ts';

/** The config of a model: of a known one its own fields, of any other whatever it takes. */
export type Config<Id extends string> = Id extends keyof DeploymentCatalog
  ? DeploymentCatalog[Id]
  : Id extends keyof Catalog
    ? Catalog[Id]
    : Record<string, unknown>;
/** Known ids are completed; any other is taken too. */
// oxlint-disable-next-line typescript/no-redundant-type-constituents -- only here there are none
type ModelId = keyof (DeploymentCatalog & Catalog) | (string & {});

export interface SubmitOptions {
  /** New for each submit, and the same when it is tried again after a restart; made when left out. */
  idempotencyKey?: string;
  /** Refuses a higher price with `PriceAboveLimitError`; nothing is charged then. */
  maxGems?: number;
  signal?: AbortSignal | undefined;
}

/** A request that has its result. */
export type Completed = Generation & { status: 'completed'; result: Result };

export interface Client extends Calls {
  /**
   * Submits a generation and waits for its result. Throws `GenerationError` when it fails or is cancelled. Any other error after it
   * was accepted has its `requestId`, which `wait` takes; an abort has none, but `onUpdate` was told the request first.
   */
  run<Id extends ModelId>(model: Id, config: Config<Id>, options?: SubmitOptions & WaitOptions): Promise<Completed>;
  /** Submits a generation and gives the request as it was accepted. Files in the config are uploaded first. */
  submit<Id extends ModelId>(model: Id, config: Config<Id>, options?: SubmitOptions): Promise<Generation>;
  /** What a submit would cost and what would refuse it; nothing is charged. Files in the config are uploaded first. */
  price<Id extends ModelId>(
    model: Id,
    config: Config<Id>,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<Estimate>;
  /** Waits until a request is final, whatever becomes of it. */
  wait(request: string | Pick<Generation, 'request_id'>, options?: WaitOptions): Promise<Generation>;
  /** Uploads a file; the `url` of what it gives fits any media field for 30 days. */
  upload(file: Uploadable, options?: UploadOptions): Promise<UploadTicket>;
  /** Fetches a result. The body of the answer is a stream. */
  download(request: Completed | Result, options?: { signal?: AbortSignal | undefined }): Promise<Response>;
}

/**
 * A client of a deployment.
 *
 *     const pomona = createClient({ baseUrl: 'https://pomona.example', key });
 *     const { result } = await pomona.run('mango', { prompt: 'a lighthouse at dusk' });
 */
export function createClient(sender: Sender): Client {
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

const isCompleted = (request: Generation): request is Completed => request.result !== null;

/** The same error, with the request that was accepted before: whoever submits again pays twice. */
const afterAccepted = (error: ApiError, requestId: string): ApiError =>
  apiError(
    {
      ...error,
      message: `${error.message} The request was accepted: wait('${requestId}') resumes it.`,
      requestId,
    },
    { cause: error },
  );

/** The config with the address of an upload in the place of each file. */
async function withUploads(sender: Sender, config: object, signal?: AbortSignal) {
  const address = async (value: unknown): Promise<unknown> => {
    if (value instanceof Blob) return (await upload(sender, value, { signal })).url;
    return Array.isArray(value) ? Promise.all(value.map(address)) : value;
  };
  const members = Object.entries(config).map(async ([name, value]) => [name, await address(value)] as const);
  return Object.fromEntries(await Promise.all(members));
}
