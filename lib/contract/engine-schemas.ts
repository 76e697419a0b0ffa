import { z } from 'zod';
import { mediaType, timestamp } from '#lib/contract/schemas';
import { count, text, wholeNumber } from '#lib/contract/values';

// Wire shapes of what operators do with engines and workflows.

/** A JSON object whose meaning is for the domain to judge. */
const object = z.record(z.string(), z.unknown());
const names = z.array(z.string());
const issues = z.array(z.object({ path: z.string(), message: z.string() }));

/** Something that an engine makes, and what it needs for that and has not, by name. */
const made = z.object({ architecture: z.string(), model_id: z.string(), lacks: names });

const engine = z.object({
  id: z.string(),
  /** What kind of server it is: comfyui, openai, …; preview for the built-in one. */
  type: z.string(),
  /** What names it: engines.json, the setting COMFYUI_URL, or nothing, since it is built in. */
  from: z.enum(['file', 'setting', 'built-in']),
  paused: z.boolean(),
  /** What it makes, as the first of the engines that could. */
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
      /** Architecture and variant whose model it has in memory, as far as is known. */
      loaded: z.string().nullable(),
      version: z.string().nullable(),
      detail: z.string().nullable(),
      /** What its last jobs met that came to nothing by its fault, and when, though it may answer; null since one was made. */
      trouble: z.string().nullable(),
      trouble_at: timestamp.nullable(),
      /** When it last answered a probe; what it has is known from then. */
      answered_at: timestamp.nullable(),
      models: names,
      /** What it lacks for what it is to serve. */
      missing: z.array(made),
    }),
  ),
  /** Generations that all servers that answer take at a time. */
  places: count,
  queued: count,
  in_progress: count,
  oldest_queued_seconds: z.number().min(0).nullable(),
  /** Half of what it made in the last day took no longer, from its start on; null while it made nothing. */
  median_seconds: z.number().min(0).nullable(),
});

export const engineList = z.object({
  /** In the order in which they are preferred, the built-in one last. */
  data: z.array(engine),
  /** Files on the machine that answers which cannot be used, so that the last good ones hold. */
  problems: z.array(z.object({ file: z.string(), message: z.string() })),
});

const SECRET = 'a secret: {"value": …}, {"env": the name of a variable}, {"kept": true}, or null';
/** Typed in, and sealed from then on; in the environment of the processes; or as it is kept. No answer holds a value. */
const secret = z.union(
  [
    z.strictObject({ value: z.string().min(1).max(4_000) }),
    z.strictObject({ env: z.string().min(1).max(200) }),
    z.strictObject({ kept: z.literal(true) }),
  ],
  SECRET,
);

/** What was read: sent with a change of it, the change is refused once somebody else has made one. */
const revision = z.string().optional();

/** An engine as an operator fills it in, and reads it again. What is allowed in it is said by its type. */
export const engineEntry = z.object({
  id: z.string(),
  type: z.string(),
  paused: z.boolean(),
  servers: z.array(
    z.object({
      id: z.string(),
      url: z.string(),
      secret: secret.nullable().default(null),
      /** Generations that it takes at a time; null leaves that to its type. */
      places: z.number().nullable().default(null),
    }),
  ),
  /** What its type alone has: `serves` and whatever belongs to it. */
  options: object,
  revision,
});

export const patchEngine = z
  .object({
    paused: z.boolean(),
    /** Its place in the order in which engines are preferred, from 0. */
    place: wholeNumber(0, 1_000),
  })
  .partial();

export const serverAddress = z.object({
  url: text(1, 2_000),
  secret: secret.nullable().default(null),
  /** The engine whose kept secret is meant. */
  engine_id: z.string().optional(),
});

/** What is behind an address. */
export const examination = z.object({
  /** Null for what is none of the types; `detail` says why. */
  type: z.string().nullable(),
  /** The address as an engine should have it. */
  url: z.string(),
  ok: z.boolean(),
  /** It answers only those who bring a secret, or another one. */
  wants_secret: z.boolean(),
  version: z.string().nullable(),
  /** The program, where several speak the same API. */
  program: z.string().nullable(),
  detail: z.string().nullable(),
  models: names,
  /** What it can make with what the catalog has for its type. */
  serves: z.array(made),
  /** The options to begin with. */
  options: object,
  /** For types whose models have to be named: what an entry of `serves` should say beside its architecture, by what is made. */
  suggestions: z.partialRecord(mediaType, object),
  /** A name that no engine has. */
  id: z.string(),
});

/** The architecture and the workflow of an import, as the files of the catalog have them. */
const workflowFiles = z.object({ architecture: object, workflow: object });

/** As they are kept. */
export const savedWorkflow = workflowFiles.extend({ revision });

export const trial = z.object({
  /** The engine, saved or not. */
  engine: engineEntry,
  /** What it is saved as, where that is another id: its secrets are those that were kept. */
  engine_id: z.string().optional(),
  /** One of its servers; the first when left out. */
  server_id: z.string().optional(),
  architecture: z.string(),
  /** A generate body; what it leaves out is as the architecture has it. */
  body: object.default({}),
  /** A workflow that is not saved yet, to be tried instead of those that the engine serves. */
  files: workflowFiles.optional(),
});

const media = z.object({
  /** The file itself, as a data URL; null for one too large for that. */
  url: z.string().nullable(),
  content_type: z.string(),
  bytes: count,
  width: count,
  height: count,
  duration: z.number().nullable(),
});

/** How a trial goes: one of these a line, the last one `succeeded` or `failed`. */
export const trialState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('queued'), position: count.nullable() }),
  z.object({
    state: z.literal('running'),
    progress: z.number().nullable(),
    /** What it looks like so far: a data URL, when there is something new to see. */
    frame: z.string().nullable(),
  }),
  z.object({ state: z.literal('succeeded'), media, seconds: z.number() }),
  z.object({ state: z.literal('failed'), code: z.string(), message: z.string() }),
]);

/** A value in a workflow that can be a field; `binding` says where it is, `field` what the architecture's file would say. */
const proposal = z.object({
  name: z.string(),
  /** Whether it is exposed unless somebody objects. */
  on: z.boolean(),
  value: z.union([z.string(), z.number(), z.boolean()]),
  binding: z.looseObject({
    to: z.array(
      z.looseObject({
        class: z.string(),
        input: z.string(),
        title: z.string().optional(),
        /** A file that it can do without. */
        optional: z.literal(true).optional(),
      }),
    ),
    set: z.looseObject({ from: z.string().optional(), list: z.boolean().optional() }),
  }),
  field: object.optional(),
});

/** What a workflow takes and makes. */
const found = z.object({
  graph: object,
  proposals: z.array(proposal),
  /** What it saves, the best first. */
  outputs: z.array(z.object({ place: z.looseObject({ class: z.string() }), type: mediaType })),
  missing: z.object({ nodes: names, files: names }),
});

export const workflowFile = z
  .object({
    /** Its text, where it is JSON. */
    text: z.string('the text of a file').min(1),
    /** Its bytes in base64, where it is a picture or a film. */
    base64: z.string('the bytes of a file in base64').min(1),
  })
  .partial()
  .extend({
    /** The engine whose ComfyUI says what its nodes take; the first that answers when left out. */
    engine_id: z.string().optional(),
    /** The workflow that this is a new version of. */
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
  /** What is wrong with them; none when they can be saved. */
  issues: z.object({ architecture: issues, workflow: issues }),
  /** Its fields with everything that is known of them, in JSON Schema; none while something is wrong with the architecture. */
  fields: z.record(z.string(), object),
  /** What its default costs; null while something is wrong. */
  gems: count.nullable(),
  /** What a save would take the place of. */
  replaces: z.enum(['own', 'shipped']).nullable(),
});

export const readWorkflow = z.object({
  engine_id: z.string(),
  found,
  /** For a new version: its files with the fields, titles and prices of the last one, and what became of them. */
  update: builtWorkflow.extend({ changes: z.array(change), added: names, revision }).nullable(),
});

const fieldChoice = z.union([z.literal(false), z.object({ name: z.string().optional(), field: object.optional() })]);

/** What the operator decides of an import; everything that is left out is as proposed. */
export const importChoices = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  /** Index among the outputs. */
  output: wholeNumber(0, 1_000).optional(),
  /** By proposal: not exposed, or exposed, perhaps with another name or other limits. */
  fields: z.record(z.string(), fieldChoice).optional(),
  /** Tokens of the form 16:9. */
  ratios: names.optional(),
  /** Tokens, and the side of a square of that size. */
  sizes: z.record(z.string(), wholeNumber(64, 8_192)).optional(),
  /** Whole seconds. */
  seconds: names.optional(),
  price: object.optional(),
});

/** Files from what was found and chosen; or given ones, with further fields of what was found. */
export const workflowDraft = z
  .object({
    found: found.optional(),
    choices: importChoices.optional(),
    files: workflowFiles.optional(),
    /** Like the fields of choices. */
    add: z.record(z.string(), fieldChoice).default({}),
  })
  .refine(
    ({ found, choices, files }) => (choices ? found && !files : files),
    'a JSON object with found and choices, or with files',
  );

export const workflow = z.object({
  /** The name of its file. */
  id: z.string(),
  architecture: z.string(),
  /** Of the architecture. */
  name: z.string(),
  type: mediaType,
  model_ids: names,
  /** Imported here, or shipped with the program. */
  from: z.enum(['own', 'shipped']),
  /** What its default costs. */
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
