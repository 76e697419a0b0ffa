import pMap from 'p-map';
import { namesOf } from '#lib/catalog/render-template';
import { outputOf } from '#lib/catalog/output-of';
import type { StoredMention, StoredStep } from '#lib/db/schema';
import type { Issue } from '#lib/errors';
import type { MediaSlot } from '#lib/generations/collect-media';
import { lookAtMedia, type MeasuredVideos } from '#lib/generations/measure-videos';
import { configWith, issuesSeen, priceWith, readGeneration } from '#lib/generations/prepare';
import { requireAllowed, requireUnflagged } from '#lib/generations/screen';
import { placeOf, pointer } from '#lib/issue';
import type { OutputSpec } from '#lib/output-spec';
import { bodiesOf } from '#lib/catalog/recipe-bodies';

/** Plan of a run, with the price of each request of each step. */
interface Plan {
  prices: number[][];
  /** Distinct characters and references that the prompts mention. */
  mentions: StoredMention[];
  /** Issues that generate would report, attributed to the inputs of the recipe. */
  issues: Issue[];
}

/** Base of the placeholder URLs for files that a step has yet to make. */
const TO_COME = 'https://to-come.invalid/';

/** Maximum number of prompts of a run sent to the moderation endpoint concurrently. */
const AT_ONCE = 4;

/**
 * Reads the bodies of all steps as generate would, with placeholders for the results of earlier steps. Throws
 * `content_blocked` and `content_restricted` for prompts, each moderated once, and the refusals of an architecture.
 * Fetches nothing but the headers of source videos whose length determines the price.
 */
export async function planRun(
  accountId: string,
  steps: readonly StoredStep[],
  values: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<Plan> {
  const plan: Plan = { prices: [], mentions: [], issues: [] };
  const mentioned = new Map<string, StoredMention>();
  const known: Record<string, unknown> = { ...values };
  const specs = new Map<string, OutputSpec>();
  const prompts = new Set<string>();
  for (const step of steps) {
    const bodies = bodiesOf(step, known);
    const read = await Promise.all(bodies.map(body => readItem(accountId, step, body, specs, signal)));
    const outputs = read.map(({ output }, at) => {
      const address = `${TO_COME}${step.id}/${at}`;
      specs.set(address, output);
      return address;
    });
    known[step.id] = step.each === undefined ? outputs[0] : outputs;
    for (const { prompt } of read) if (typeof prompt === 'string') prompts.add(prompt);
    plan.prices.push(read.map(({ gems }) => gems));
    for (const mention of read.flatMap(({ mentions }) => mentions)) mentioned.set(mention.id, mention);
    // issues of later steps mostly follow from those of an earlier one, so they are left out
    if (plan.issues.length > 0) continue;
    if (read.length === 0) plan.issues.push(issueOf(step, { path: '/each', message: 'There is nothing to make.' }));
    const told = read.flatMap(({ issues }) => issues.map(issue => issueOf(step, issue)));
    plan.issues.push(...new Map(told.map(issue => [issue.path + issue.message, issue])).values());
  }
  await pMap(prompts, prompt => requireUnflagged(prompt), { concurrency: AT_ONCE });
  return { ...plan, mentions: [...mentioned.values()] };
}

async function readItem(
  accountId: string,
  { architecture: id }: StoredStep,
  body: Record<string, unknown>,
  specs: ReadonlyMap<string, OutputSpec>,
  signal: AbortSignal | undefined,
) {
  const read = await readGeneration(accountId, id, body);
  const { architecture, config, slots } = read;
  if (typeof config.prompt === 'string') requireAllowed(config.prompt, architecture.id);
  const here = slots.filter(({ value }) => !specs.has(value));
  const measured = await lookAtMedia(accountId, { ...read, slots: here }, signal);
  for (const slot of slots) noteToCome(slot, specs, measured);
  return {
    prompt: config.prompt,
    gems: priceWith(read, measured),
    mentions: read.mentions,
    output: outputOf(architecture, configWith(read, measured)),
    issues: [...read.issues, ...issuesSeen(read, measured)],
  };
}

/** Records the requested length of a source video that an earlier step has yet to make. */
function noteToCome(
  { role, value, path }: MediaSlot,
  specs: ReadonlyMap<string, OutputSpec>,
  measured: MeasuredVideos,
) {
  const spec = role === 'source_video' ? specs.get(value) : undefined;
  if (spec) measured.videos.set(path, spec);
}

/** Attributes an issue of a field to the input in its template, and names the input if the template is only that. */
function issueOf({ name, each, body }: StoredStep, { path, message }: Issue): Issue {
  const field = path.split('/')[1] ?? '';
  const template = field === 'each' ? each : body[field];
  const [used] = [...namesOf(template)].filter(one => one !== 'number');
  const [input] = used === 'each' ? namesOf(each) : [used];
  if (input === undefined) return { path: '', message: `${name}: ${message}` };
  const place = placeOf(path);
  const isInput = [template].flat().every(one => one === `{{${used}}}`) && message.startsWith(place);
  return { path: pointer(input), message: `${name}: ${isInput ? input + message.slice(place.length) : message}` };
}
