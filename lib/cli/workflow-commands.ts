import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { COMMAND_LINE } from '#lib/accounts/audit';
import type { Act } from '#lib/cli/act';
import { wholeNumber } from '#lib/cli/option-values';
import { orUnwritten, say, sayRows } from '#lib/cli/output';
import type { BuiltWorkflowWire, ImportChoicesWire, ReadWorkflowWire } from '#lib/contract/engine-schemas';
import { slug } from '#lib/contract/slug';
import { AppError } from '#lib/errors';
import { buildWorkflow } from '#lib/operator/build-workflow';
import { readWorkflowFile } from '#lib/operator/read-workflow-file';
import { getWorkflow, listWorkflows, removeWorkflow, saveWorkflow } from '#lib/operator/workflows';

/** Adds `pomona workflow …`: ComfyUI workflows as architectures with a price. */
export function workflowCommands(program: Command, act: Act): void {
  const workflow = program
    .command('workflow')
    .description('ComfyUI workflows as architectures with a form and a price');
  workflow
    .command('import <file>')
    .description('read a workflow in API format, or an image or video that carries one, and offer it')
    .option('--id <id>', 'its name in the API (default: from the name of the file)')
    .option('--name <name>', 'its name for people')
    .option('--gems <n>', 'price of the default', wholeNumber(1))
    .option('--fields <names...>', 'which of the proposed fields are exposed (default: the useful ones)')
    .option('--output <n>', 'which of its outputs is the result, from 1', wholeNumber(1))
    .option('--engine <id>', 'the ComfyUI that says what its nodes take')
    .option('--replaces <id>', 'the workflow that this is a new version of; fields, titles and price stay')
    .option('--dry-run', 'show the result, and save nothing')
    .action(act(importFile));
  workflow
    .command('export <id>')
    .description('write its two files: architectures/….json and workflows/….json')
    .option('--to <folder>', 'where', '.')
    .action(act(exportFiles));
  workflow
    .command('list')
    .description('every workflow, imported ones first')
    .option('--json')
    .action(act(async ({ json }: { json?: boolean }) => sayRows(listWorkflows(), json)));
  workflow
    .command('remove <id>')
    .description('remove an imported workflow and its architecture')
    .action(
      act(async (id: string) => {
        await removeWorkflow(COMMAND_LINE, id);
        say(`${id} is removed.`);
      }),
    );
}

interface ImportOptions {
  id?: string;
  name?: string;
  gems?: number;
  fields?: string[];
  output?: number;
  engine?: string;
  replaces?: string;
  dryRun?: boolean;
}

async function importFile(file: string, options: ImportOptions): Promise<void> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new AppError('invalid_request', `${file} cannot be read.`, {}, { cause });
  });
  const { replaces, engine: engine_id } = options;
  const reading = await readWorkflowFile({ base64: bytes.toString('base64'), replaces, engine_id });
  const id = replaces ?? options.id ?? idOf(file);
  const built =
    reading.update ?? buildWorkflow({ found: reading.found, choices: choicesOf(id, reading, options), add: {} });
  sayBuilt(id, reading, built);
  if (options.dryRun) return;
  const { name } = await saveWorkflow(COMMAND_LINE, id, { architecture: built.architecture, workflow: built.workflow });
  say(`${name} is offered as ${String(built.architecture.id)} for ${built.gems} gems.`);
}

const idOf = (file: string): string =>
  slug(basename(file).replace(/\.\w+$/, ''), 40).replace(/_api$/, '') || 'workflow';

function choicesOf(id: string, { found }: ReadWorkflowWire, options: ImportOptions): ImportChoicesWire {
  const { name = id.replaceAll('_', ' '), gems, fields, output } = options;
  const unknown = fields?.filter(one => !found.proposals.some(proposal => proposal.name === one)) ?? [];
  if (unknown.length > 0) {
    const known = found.proposals.map(proposal => proposal.name).join(', ');
    throw new AppError('invalid_request', `There is no field ${unknown.join(', ')}. The workflow has ${known}.`);
  }
  return {
    id,
    name,
    ...(output && { output: output - 1 }),
    ...(gems && { price: { gems } }),
    ...(fields && {
      fields: Object.fromEntries(found.proposals.map(one => [one.name, fields.includes(one.name) ? {} : false])),
    }),
  };
}

function sayBuilt(id: string, { found, update, engine_id }: ReadWorkflowWire, built: BuiltWorkflowWire): void {
  const { nodes, files } = found.missing;
  for (const { from, what, was, now } of update?.changes ?? [])
    if (what !== 'kept')
      say(`  ${what.padEnd(6)} ${from}${what === 'value' ? `: ${String(was)} → ${String(now)}` : ''}`);
  if (!update)
    for (const { name, binding, value } of found.proposals) {
      const isOn = name in built.fields || binding.set.from === name || binding.set.from?.startsWith('output.');
      say(
        `  ${isOn ? 'field ' : 'always'} ${name}: ${String(value)} (${binding.to.map(one => `${one.title ?? one.class}.${one.input}`).join(', ')})`,
      );
    }
  for (const name of nodes) say(`  ${engine_id} lacks the node ${name}`);
  for (const name of files) say(`  ${engine_id} lacks the file ${name}`);
  const issues = [...built.issues.architecture, ...built.issues.workflow];
  if (issues.length > 0)
    throw new AppError(
      'invalid_request',
      `${id} cannot be saved. ${issues.map(one => `${one.path}: ${one.message}.`).join(' ')}`,
    );
}

async function exportFiles(id: string, { to }: { to: string }): Promise<void> {
  const { architecture, workflow } = getWorkflow(id);
  for (const [folder, name, file] of [
    ['architectures', String(architecture.id), architecture],
    ['workflows', id, workflow],
  ] as const) {
    const path = join(to, folder, `${name}.json`);
    await orUnwritten(path, async () => {
      await mkdir(join(to, folder), { recursive: true });
      await writeFile(path, `${JSON.stringify(file, null, 2)}\n`);
    });
    say(path);
  }
}
