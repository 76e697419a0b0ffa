#!/usr/bin/env node
import { catalogFile } from './catalog-types.ts';
import { helpFor, readOptions, USAGE, UsageError, type Options } from './cli-options.ts';
import { requireWritable, writeResult } from './cli-output.ts';
import { showProgress } from './cli-progress.ts';
import { createClient, type Client } from './client.ts';
import { ApiError, apiError, GenerationError } from './errors.ts';
import { randomKey } from './random-key.ts';
import type { Architecture, Estimate, Generation } from './wire.ts';

/** Writes to stdout, which is for programs. Messages for people go to stderr, through `say`. */
const print = (text: string) => void process.stdout.write(`${text}\n`);
const say = (text: string) => void process.stderr.write(`${text}\n`);

/** The request that was paid for, once accepted, so that an error message can say how to resume it. */
let paid: Generation | undefined;
/** Idempotency key of the submit, which finds a request that was accepted but whose response was lost. */
let key: string | undefined;

/** Tells the user how to resume the request, if it was or may have been accepted. */
function sayWhereItIs(error?: unknown): void {
  const state = paid?.result ? 'is done' : 'goes on';
  if (paid) say(`The request ${state}. Resume it with: pomona-run --request ${paid.request_id}`);
  else if (key && error instanceof ApiError && error.isPassing)
    say(`It may have been accepted. Run it again with --idempotency-key ${key}: it is paid only once.`);
}

async function main(args: string[]): Promise<void> {
  if (args.length === 0 || args[0] === '--help' || args[0] === '-h') return print(USAGE);
  const { POMONA_URL: baseUrl, POMONA_KEY: apiKey } = process.env;
  if (!baseUrl || !apiKey)
    throw new UsageError('Set POMONA_URL to the address of the deployment, and POMONA_KEY to a key.');
  if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl))
    throw new UsageError('POMONA_URL must be an http or https address, such as https://pomona.example.');
  const client = createClient({ baseUrl: new URL(baseUrl).origin, key: apiKey });
  const { architectures } = await client.listArchitectures();
  if (args[0] === '--models') return architectures.forEach(one => print(`${one.id}\t${one.type}\t${one.gems}`));
  if (args[0] === '--types') return print(catalogFile(architectures).trimEnd());
  const [model] = args;
  const entry = model?.startsWith('-') ? undefined : architectures.find(({ id }) => id === model);
  if (model && !model.startsWith('-') && !entry)
    throw new UsageError(`There is no model ${model}. There are ${architectures.map(({ id }) => id).join(', ')}.`);
  await act(client, entry, await readOptions(entry, entry ? args.slice(1) : args));
}

async function act(client: Client, entry: Architecture | undefined, options: Options): Promise<void> {
  const { config, help, price, request: id, output, json, maxGems } = options;
  if (help) return print(entry ? helpFor(entry) : USAGE);
  if (entry && price) return tellPrice(await client.price(entry.id, config), json);
  if (entry && id)
    throw new UsageError('Name a model to make something new, or --request to resume what was submitted, not both.');
  if (!entry && !id) throw new UsageError('Name a model, or with --request one that was submitted before.');
  if (output !== undefined) await requireWritable(output);
  if (entry) key = options.idempotencyKey ?? randomKey();
  paid = entry
    ? await client.submit(entry.id, config, { idempotencyKey: key, maxGems })
    : await client.getRequestStatus({ params: { request_id: id! } });
  await (output !== undefined || options.wait || id ? follow(client, paid, options) : tell(paid, json));
}

/**
 * Prints an estimate, and throws what would refuse it. With issues, its price assumes defaults for the invalid fields, so
 * only the issues are shown.
 */
function tellPrice(estimate: Estimate, json: boolean): void {
  const { gems, balance, budget_left: left = Infinity, enough, issues } = estimate;
  if (json) print(JSON.stringify(estimate, null, 2));
  else if (issues.length === 0) print(String(gems));
  const message = issues.map(issue => issue.message).join(' ');
  if (message) throw apiError({ status: 400, code: 'invalid_config', message, issues });
  if (enough) return;
  const budget = left < gems ? `, and the monthly budget of the key has ${left} left` : '';
  const short = `It costs ${gems} gems; the balance is ${balance}${budget}. Add gems or choose cheaper settings.`;
  throw apiError({ status: 402, code: 'insufficient_gems', message: short, gemsRequired: gems });
}

const tell = (request: Generation, json: boolean) =>
  print(json ? JSON.stringify(request, null, 2) : (request.result?.url ?? request.request_id));

async function follow(client: Client, request: Generation, { output, json, quiet }: Options): Promise<void> {
  process.once('SIGINT', () => {
    say('');
    sayWhereItIs();
    process.exit(130);
  });
  const progress = quiet ? undefined : showProgress(process.stderr);
  const final = await client.wait(request, progress && { onUpdate: progress.update }).finally(() => progress?.end());
  paid = final;
  if (!final.result) {
    if (json) tell(final, true);
    throw new GenerationError(final);
  }
  if (output !== undefined) {
    const { body } = await client.download(final.result);
    await writeResult(output, body!);
  }
  if (json || output === undefined) tell(final, json);
  else if (output !== '-' && !quiet) say(`${output}: ${final.billing.gems_charged} gems, seed ${final.result.seed}`);
}

// a reader such as `head` may close the pipe early, which is not an error
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
main(process.argv.slice(2)).catch((error: unknown) => {
  const isKnown = error instanceof ApiError || error instanceof GenerationError || error instanceof UsageError;
  say(isKnown ? error.message : String(error));
  if (!(error instanceof GenerationError)) sayWhereItIs(error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
