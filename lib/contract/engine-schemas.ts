import { z } from 'zod';
import { mediaType, timestamp } from '#lib/contract/schemas';
import { count, text, wholeNumber } from '#lib/contract/values';

// Wire shapes of the operator's endpoints for engines and workflows.

/** A JSON object that the domain validates, not the contract. */
const object = z.record(z.string(), z.unknown());
const names = z.array(z.string());
const issues = z.array(z.object({ path: z.string(), message: z.string() }));

/** Something that an engine makes, and the names of what it needs for that and lacks. */
const made = z.object({ architecture: z.string(), model_id: z.string(), lacks: names });

const engine = z.object({
  id: z.string(),
  /** Type of the server: comfyui, openai, …; preview for the built-in engine. */
  type: z.string(),
  /** Source of the definition: engines.json, the setting COMFYUI_URL, or the program itself. */
  from: z.enum(['file', 'setting', 'built-in']),
  paused: z.boolean(),
  /** Architectures for which this is the preferred engine. */
  architectures: names,
  /** Whether one of its servers answers. */
  ok: z.boolean(),
  servers: z.array(
    z.object({
      id: z.string(),
      /** Null for a place inside a worker process. */
      url: z.string().nullable(),
      ok: z.boolean(),
      places: count,
      busy: count,
      /** Architecture and variant whose model is loaded in memory, as far as known. */
      loaded: z.string().nullable(),
      version: z.string().nullable(),
      detail: z.string().nullable(),
      /** Fault of the server in its latest jobs, even if it answers probes; null since a job last succeeded. */
      trouble: z.string().nullable(),
      trouble_at: timestamp.nullable(),
      /** When the server last answered a probe; `models` and `missing` date from then. */
      answered_at: timestamp.nullable(),
      models: names,
      /** What the server lacks for the architectures that it should serve. */
      missing: z.array(made),
    }),
  ),
  /** Total number of generations that the answering servers take at the same time. */
  places: count,
  queued: count,
  in_progress: count,
  oldest_queued_seconds: z.number().min(0).nullable(),
  /** Median duration from start to finish of the generations of the last day; null when there were none. */
  median_seconds: z.number().min(0).nullable(),
});

export const engineList = z.object({
  /** Engines in order of preference, the built-in one last. */
  data: z.array(engine),
  /** Files on the answering machine that cannot be used; their last valid versions stay in effect. */
  problems: z.array(z.object({ file: z.string(), message: z.string() })),
});

const SECRET = 'a secret: {"value": …}, {"env": the name of a variable}, {"kept": true}, or null';
/** A secret: a typed value, stored encrypted; an environment variable; or the stored one. Never part of an answer. */
const secret = z.union(
  [
    z.strictObject({ value: z.string().min(1).max(4_000) }),
    z.strictObject({ env: z.string().min(1).max(200) }),
    z.strictObject({ kept: z.literal(true) }),
  ],
  SECRET,
);

/** Revision that was read. A change sent with a revision that is no longer current is refused. */
const revision = z.string().optional();

/** An engine as an operator enters and reads it. Its type decides which values are allowed. */
export const engineEntry = z.object({
  id: z.string(),
  type: z.string(),
  paused: z.boolean(),
  servers: z.array(
    z.object({
      id: z.string(),
      url: z.string(),
      secret: secret.nullable().default(null),
      /** Number of generations that the server takes at the same time; null leaves that to the engine's type. */
      places: z.number().nullable().default(null),
    }),
  ),
  /** Options of this type of engine: `serves` and others. */
  options: object,
  revision,
});

export const patchEngine = z
  .object({
    paused: z.boolean(),
    /** Position in the order of preference, from 0. */
    place: wholeNumber(0, 1_000),
  })
  .partial();

export const serverAddress = z.object({
  url: text(1, 2_000),
  secret: secret.nullable().default(null),
  /** Engine whose stored secret to use. */
  engine_id: z.string().optional(),
});

/** What was found behind an address. */
export const examination = z.object({
  /** Null when the server is of no known type; `detail` says why. */
  type: z.string().nullable(),
  /** The address in the form that an engine needs. */
  url: z.string(),
  ok: z.boolean(),
  /** Whether the server requires a secret, or a different one. */
  wants_secret: z.boolean(),
  version: z.string().nullable(),
  /** Name of the program, where several programs speak the same API. */
  program: z.string().nullable(),
  detail: z.string().nullable(),
  models: names,
  /** What the server can make with the catalog's architectures for its type. */
  serves: z.array(made),
  /** Initial options for the engine. */
  options: object,
  /** For types whose models must be named: suggested members of an entry of `serves`, by media type. */
  suggestions: z.partialRecord(mediaType, object),
  /** An engine id that is not taken. */
  id: z.string(),
});

/** Architecture and workflow of an import, as catalog files have them. */
const workflowFiles = z.object({ architecture: object, workflow: object });

/** The files as they are saved. */
export const savedWorkflow = workflowFiles.extend({ revision });

export const trial = z.object({
  /** The engine, saved or not. */
  engine: engineEntry,
  /** Id under which the engine is saved, if that differs: stored secrets are taken from there. */
  engine_id: z.string().optional(),
  /** One of the engine's servers; defaults to the first. */
  server_id: z.string().optional(),
  architecture: z.string(),
  /** A generate body; fields left out have the architecture's defaults. */
  body: object.default({}),
  /** An unsaved workflow to try instead of those that the engine serves. */
  files: workflowFiles.optional(),
});

const media = z.object({
  /** The file itself, as a data URL; null when it is too large for one. */
  url: z.string().nullable(),
  content_type: z.string(),
  bytes: count,
  width: count,
  height: count,
  duration: z.number().nullable(),
});

/** Progress of a trial, one object a line; the last is `succeeded` or `failed`. */
export const trialState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('queued'), position: count.nullable() }),
  z.object({
    state: z.literal('running'),
    progress: z.number().nullable(),
    /** Latest frame as a data URL, when there is a new one. */
    frame: z.string().nullable(),
  }),
  z.object({ state: z.literal('succeeded'), media, seconds: z.number() }),
  z.object({ state: z.literal('failed'), code: z.string(), message: z.string() }),
]);

/** A value of a workflow that can become a field; `binding` is its place, `field` its entry in the architecture. */
const proposal = z.object({
  name: z.string(),
  /** Whether the field is exposed by default. */
  on: z.boolean(),
  value: z.union([z.string(), z.number(), z.boolean()]),
  binding: z.looseObject({
    to: z.array(
      z.looseObject({
        class: z.string(),
        input: z.string(),
        title: z.string().optional(),
        /** A file input that the workflow can do without. */
        optional: z.literal(true).optional(),
      }),
    ),
    set: z.looseObject({ from: z.string().optional(), list: z.boolean().optional() }),
  }),
  field: object.optional(),
});

/** Inputs and outputs of a workflow. */
const found = z.object({
  graph: object,
  proposals: z.array(proposal),
  /** What the workflow saves, the best output first. */
  outputs: z.array(z.object({ place: z.looseObject({ class: z.string() }), type: mediaType })),
  missing: z.object({ nodes: names, files: names }),
});

export const workflowFile = z
  .object({
    /** Text of the file, when it is JSON. */
    text: z.string('the text of a file').min(1),
    /** Bytes of the file in base64, when it is an image or a video. */
    base64: z.string('the bytes of a file in base64').min(1),
  })
  .partial()
  .extend({
    /** Engine whose ComfyUI describes the nodes; defaults to the first that answers. */
    engine_id: z.string().optional(),
    /** Workflow that this is a new version of. */
    replaces: z.string().optional(),
  })
  .refine(
    ({ text, base64 }) => (text === undefined) !== (base64 === undefined),
    'a JSON object with a file: text or base64',
  );

const change = z.object({
  from: z.string(),
  what: z.enum(['kept', 'more', 'moved', 'gone', 'value']),
  was: z.unknown().optional(),
  now: z.unknown().optional(),
});

export const builtWorkflow = workflowFiles.extend({
  /** Problems of the files; they can be saved when there are none. */
  issues: z.object({ architecture: issues, workflow: issues }),
  /** Fields as complete JSON Schema; none while the architecture has problems. */
  fields: z.record(z.string(), object),
  /** Price of the default config; null while there are problems. */
  gems: count.nullable(),
  /** Whose workflow a save would replace. */
  replaces: z.enum(['own', 'shipped']).nullable(),
});

export const readWorkflow = z.object({
  engine_id: z.string(),
  found,
  /** For a new version: its files with the fields, titles and prices of the previous version, and what changed. */
  update: builtWorkflow.extend({ changes: z.array(change), added: names, revision }).nullable(),
});

const fieldChoice = z.union([z.literal(false), z.object({ name: z.string().optional(), field: object.optional() })]);

/** The operator's choices for an import; anything left out is as proposed. */
export const importChoices = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  /** Index in `outputs`. */
  output: wholeNumber(0, 1_000).optional(),
  /** By proposal: `false` to leave it out; an object to expose it, optionally with another name or other limits. */
  fields: z.record(z.string(), fieldChoice).optional(),
  /** Aspect ratios written as `W:H`. */
  ratios: names.optional(),
  /** Size tokens, with the side of a square of that size. */
  sizes: z.record(z.string(), wholeNumber(64, 8_192)).optional(),
  /** Durations in whole seconds. */
  seconds: names.optional(),
  price: object.optional(),
});

/** Files to build from what was found and chosen; or given files, to which more of the found fields are added. */
export const workflowDraft = z
  .object({
    found: found.optional(),
    choices: importChoices.optional(),
    files: workflowFiles.optional(),
    /** Fields to add, in the form of `choices.fields`. */
    add: z.record(z.string(), fieldChoice).default({}),
  })
  .refine(
    ({ found, choices, files }) => (choices ? found && !files : files),
    'a JSON object with found and choices, or with files',
  );

export const workflow = z.object({
  /** Name of the workflow's file. */
  id: z.string(),
  architecture: z.string(),
  /** Name of the architecture. */
  name: z.string(),
  type: mediaType,
  model_ids: names,
  /** `own`: imported here; `shipped`: part of the program. */
  from: z.enum(['own', 'shipped']),
  /** Price of the default config. */
  gems: count,
});

export type EngineWire = z.infer<typeof engine>;
export type EngineEntryWire = z.output<typeof engineEntry>;
export type ExaminationWire = z.infer<typeof examination>;
export type TrialWire = z.output<typeof trial>;
export type TrialStateWire = z.infer<typeof trialState>;
export type WorkflowWire = z.infer<typeof workflow>;
export type FoundWire = z.infer<typeof found>;
export type ProposalWire = z.infer<typeof proposal>;
export type ChangeWire = z.infer<typeof change>;
export type ImportChoicesWire = z.infer<typeof importChoices>;
export type ReadWorkflowWire = z.infer<typeof readWorkflow>;
export type BuiltWorkflowWire = z.infer<typeof builtWorkflow>;
export type WorkflowDraftWire = z.output<typeof workflowDraft>;
export type WorkflowFilesWire = z.infer<typeof workflowFiles>;
export type SavedWorkflowWire = z.infer<typeof savedWorkflow>;
