import { writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Option, type Command } from 'commander';
import { COMMAND_LINE } from '#lib/accounts/audit';
import type { Act } from '#lib/cli/act';
import { orUnwritten, say, sayRows } from '#lib/cli/output';
import type { EngineEntryWire, EngineWire, ExaminationWire, TrialStateWire } from '#lib/contract/engine-schemas';
import { requireSameDeployment } from '#lib/deployment';
import { AppError } from '#lib/errors';
import { addEngine, getEngine, pauseEngine, removeEngine } from '#lib/operator/change-engines';
import { entryFor, examineServer } from '#lib/operator/examine-server';
import { listEngines, problemOfEnginesFile } from '#lib/operator/list-engines';
import { tryEngine } from '#lib/operator/try-engine';

/** Adds `pomona engine …`: the engines that make the results. */
export function engineCommands(program: Command, act: Act): void {
  const engine = program.command('engine').description('engines, which make the results');
  engine
    .command('add <address>')
    .description('check what is at an address, show what it can make and what it lacks, and connect it')
    .option('--id <id>', 'its name here')
    .addOption(new Option('--secret-env <name>', 'environment variable with its secret').conflicts('secretStdin'))
    .option('--secret-stdin', 'read its secret from standard input, and keep it sealed')
    .option('--serves <architecture=model...>', 'what it makes, where its type does not tell')
    .option('--dry-run', 'only check, without connecting it')
    .action(act(add));
  engine
    .command('test <id>')
    .description('make one thing with it, which costs no gems; exit 1 when that fails')
    .option('--architecture <id>', 'what to make (default: the first it can make)')
    .option('--prompt <text>')
    .option('--to <file>', 'write the result to this file')
    .action(act(test));
  engine.command('list').description('every engine, in order of preference').option('--json').action(act(list));
  engine
    .command('pause <id>')
    .description('give it no new work; its requests wait')
    .action(act(id => pause(id, true)));
  engine
    .command('resume <id>')
    .description('give it work again')
    .action(act(id => pause(id, false)));
  engine
    .command('remove <id>')
    .description('disconnect it')
    .action(
      act(async (id: string) => {
        await removeEngine(COMMAND_LINE, id);
        say(`${id} is removed.`);
      }),
    );
}

interface AddOptions {
  id?: string;
  secretEnv?: string;
  secretStdin?: boolean;
  serves?: string[];
  dryRun?: boolean;
}

async function add(address: string, { id, secretEnv, secretStdin, serves, dryRun }: AddOptions): Promise<void> {
  // a sealed secret can be opened only by processes with the same SECRET_KEY
  await requireSameDeployment();
  const value = secretStdin ? (await text(process.stdin)).trim() : '';
  const secret = secretEnv ? { env: secretEnv } : value ? { value } : null;
  const found = await examineServer({ url: address, secret });
  sayFound(found);
  if (found.type === null) throw new AppError('invalid_request', `Nothing to connect at ${found.url}.`);
  const entry: EngineEntryWire = {
    id: id ?? found.id,
    type: found.type,
    paused: false,
    servers: [{ id: 'server1', url: found.url, secret, places: null }],
    options: serves ? { serves: serves.map(one => servedBy(one, found)) } : found.options,
  };
  if (dryRun) return;
  if ((entry.options.serves as object[] | undefined)?.length === 0)
    throw new AppError('invalid_request', 'Say what it makes: --serves ARCHITECTURE=MODEL, such as --serves z_image.');
  await addEngine(COMMAND_LINE, entry);
  say(`${entry.id} is connected. Make a test image: pomona engine test ${entry.id}`);
}

function sayFound({ type, program, version, url, detail, serves, models }: ExaminationWire): void {
  say(`${[program ?? type ?? 'Nothing that Pomona can use', version].filter(Boolean).join(' ')} at ${url}`);
  if (detail) say(`  ${detail}`);
  for (const { architecture, model_id, lacks } of serves)
    say(
      `  ${lacks.length ? 'lacks for' : 'can make '} ${architecture} ${model_id}${lacks.map(name => `\n      ${name}`).join('')}`,
    );
  if (serves.length === 0 && models.length > 0) say(`  models: ${models.join(', ')}`);
}

/** Parses `architecture=model`, such as `z_image=Tongyi-MAI/Z-Image-Turbo`, to an entry for servers of this type. */
function servedBy(text: string, found: ExaminationWire): Record<string, unknown> {
  const [id = '', ...model] = text.split('=');
  return { ...entryFor(id, found), ...(model.length > 0 && { model: model.join('=') }) };
}

async function test(
  id: string,
  { architecture, prompt, to }: { architecture?: string; prompt?: string; to?: string },
): Promise<void> {
  const engine = getEngine(id);
  const body = prompt === undefined ? {} : { prompt };
  const trial = { engine, architecture: architecture ?? (await firstAble(engine)), body };
  let last: TrialStateWire | undefined;
  for await (last of await tryEngine(trial, new AbortController().signal))
    if (last.state === 'running') process.stderr.write(`\r${Math.round((last.progress ?? 0) * 100)} % `);
  process.stderr.write('\r');
  if (last?.state !== 'succeeded')
    throw new AppError('invalid_request', last?.state === 'failed' ? `It failed: ${last.message}` : 'It was not made.');
  const { media, seconds } = last;
  say(
    `It works: ${trial.architecture}, ${media.content_type}, ${media.width}×${media.height}, in ${seconds.toFixed(1)} s.`,
  );
  if (to === undefined) return;
  if (media.url === null) throw new AppError('invalid_request', 'It is too large to be written here.');
  const picture = Buffer.from(media.url.slice(media.url.indexOf(',') + 1), 'base64');
  await orUnwritten(to, () => writeFile(to, picture));
  say(`Written to ${to}.`);
}

/** Returns the first architecture that the entry names or, for ComfyUI, the first one that it has all files for. */
async function firstAble({ id, type, options, servers }: EngineEntryWire): Promise<string> {
  const named = (options.serves as { architecture: string }[] | undefined)?.map(one => one.architecture);
  if (type !== 'comfyui') return named?.[0] ?? '';
  const { url, secret } = servers[0]!;
  const { serves } = await examineServer({ url, secret, engine_id: id });
  const able = serves.filter(
    ({ architecture, lacks }) => lacks.length === 0 && (named?.includes(architecture) ?? true),
  );
  if (able[0]) return able[0].architecture;
  throw new AppError(
    'invalid_request',
    `${id} has the files of none of the models that it should make. See engine list.`,
  );
}

async function list({ json }: { json?: boolean }): Promise<void> {
  const { data, problems } = await listEngines();
  // unlike a server, this process does not import the file
  const wrong = await problemOfEnginesFile();
  if (wrong) problems.push(wrong);
  for (const { file, message } of problems) process.stderr.write(`${file} has an error and is not used: ${message}\n`);
  sayRows(
    data.map(engine => ({
      id: engine.id,
      type: engine.type,
      state: stateOf(engine),
      servers: engine.servers.length,
      in_progress: engine.in_progress,
      queued: engine.queued,
      makes: engine.architectures,
      lacks: engine.servers.flatMap(({ missing }) => missing.flatMap(({ lacks }) => lacks)),
    })),
    json,
  );
}

function stateOf({ paused, from, ok, servers }: EngineWire): string {
  if (paused) return 'paused';
  if (servers.length === 0) return from === 'built-in' ? 'no worker' : 'not checked yet';
  if (!ok) return 'does not answer';
  if (servers.some(server => !server.ok)) return 'some servers do not answer';
  return servers.some(({ trouble }) => trouble) ? 'jobs fail' : 'healthy';
}

async function pause(id: string, paused: boolean): Promise<void> {
  await pauseEngine(COMMAND_LINE, id, paused);
  say(`${id} is ${paused ? 'paused' : 'resumed'}.`);
}
