import { z } from 'zod';
import { issuesIn, parseFile } from '#lib/documents/json-file';
import { CONNECTORS, type Connector, type EngineType } from '#lib/engines/connectors';
import type { Engine, EngineServer } from '#lib/engines/engine';
import type { Parameters } from '#lib/engines/parameters';
import type { Served, Variant } from '#lib/engines/served';
import { SETTINGS } from '#lib/env';
import type { Issue } from '#lib/errors';
import { serverUrl } from '#lib/server-url';

const id = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,39}$/, 'must be lowercase letters, digits, dashes and underscores, a letter first');

/** Location of a server's secret: an environment variable, or a value sealed with the deployment's key. */
const Secret = z.union([
  z.strictObject({
    env: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]*$/, 'must be the name of an environment variable')
      .refine(name => !Object.hasOwn(SETTINGS, name), "must not be one of Pomona's own settings"),
  }),
  z.strictObject({ sealed: z.string().min(1) }),
]);
export type Secret = z.infer<typeof Secret>;

const ServerEntry = z.strictObject({
  /** Unique within its engine. */
  id,
  url: serverUrl,
  secret: Secret.optional(),
  /** Number of generations that the server takes concurrently. */
  places: z.int().min(1).max(10_000).optional(),
});
export type ServerEntry = z.infer<typeof ServerEntry>;

const Common = z.looseObject({
  id: id.refine(name => name !== 'preview', 'must not be preview, which is the built-in one'),
  type: z.enum(Object.keys(CONNECTORS) as [EngineType]),
  /** Whether the engine takes no new work; requests that only it serves wait. */
  paused: z.boolean().default(false),
  /** Seconds without news after which a job is stopped; defaults to STALL_SECONDS. */
  stall_seconds: z.int().min(5).max(86_400).optional(),
  servers: z.array(ServerEntry).min(1).refine(unique, 'must have another id each'),
});

/** An entry of `engines.json`, with the options of its type validated. */
export interface EngineEntry extends z.output<typeof Common> {
  /** Options that are specific to the engine's type. */
  options: Record<string, unknown>;
  serves: () => readonly Served[];
  /** Returns all parameters that a variant's remote model may be sent. Absent where workflows define them. */
  parametersOf?: (variant: Variant) => Parameters[];
  create: (server: EngineServer) => Promise<Engine>;
  places: number;
  /** Whether a self-hosted server holds one of several models in memory and takes time to load another. */
  loads: boolean;
  /** Set when the engine comes from a setting of this process; other processes may have a different one, or none. */
  ofSettings?: true;
}

const File = z.strictObject({
  /** In order of preference, where several engines serve a model. */
  engines: z.array(Common).refine(unique, 'must have another id each').default([]),
});

function unique(entries: { id: string }[]): boolean {
  return new Set(entries.map(entry => entry.id)).size === entries.length;
}

type CheckedEngines = { engines: EngineEntry[]; issues: [] } | { engines: null; issues: Issue[] };

/** Parses the text of `engines.json`. Returns its engines, or all issues found. */
export function readEnginesFile(text: string): CheckedEngines {
  const { json, issues: faults } = parseFile(() => text);
  if (faults.length) return { engines: null, issues: faults };
  const parsed = File.safeParse(json);
  if (!parsed.success) return { engines: null, issues: issuesIn(parsed.error) };
  const read = parsed.data.engines.map((entry, at) => readEntry(entry, ['engines', at]));
  const issues = read.flatMap(one => ('issues' in one ? one.issues : []));
  if (issues.length) return { engines: null, issues };
  return { engines: read.flatMap(one => ('entry' in one ? one.entry : [])), issues: [] };
}

type Read = { entry: EngineEntry } | { issues: Issue[] };
type AnyConnector = Connector<Record<string, unknown>>;

function readEntry(entry: z.output<typeof Common>, at: PropertyKey[]): Read {
  const { id: name, type, paused, stall_seconds, servers, ...own } = entry;
  // safe: the options are parsed with the schema of the same connector
  const { options: schema, places, loads, serves, parametersOf, create } = CONNECTORS[type] as AnyConnector;
  const parsed = schema.safeParse(own);
  if (!parsed.success) return { issues: issuesIn(parsed.error, ...at) };
  const options = parsed.data;
  return {
    entry: {
      id: name,
      type,
      paused,
      stall_seconds,
      servers,
      options,
      places,
      loads,
      serves: () => serves(options),
      ...(parametersOf && { parametersOf: variant => parametersOf(options, variant) }),
      create: server => create(server, options),
    },
  };
}
