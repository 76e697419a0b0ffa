import { z } from 'zod';
import type { Engine, EngineServer } from '#lib/engines/engine';
import { CogOptions } from '#lib/engines/cog/options';
import { workflowsFor } from '#lib/engines/comfyui/workflows';
import { FalOptions } from '#lib/engines/fal/options';
import { OpenaiOptions } from '#lib/engines/openai/options';
import { parametersOf } from '#lib/engines/openai/request-of';
import { PROMPT_AND_SEED, type Parameters } from '#lib/engines/parameters';
import { ReplicateOptions } from '#lib/engines/replicate/options';
import { Served, servedFor, type Variant } from '#lib/engines/served';

/** A type of server that Pomona can use. */
export interface Connector<O> {
  /** Schema of the members of an engines.json entry that are specific to this type. */
  options: z.ZodType<O>;
  /** Default number of generations that a server takes concurrently. */
  places: number;
  /** Whether a self-hosted server holds one of several models in memory and takes time to load another. */
  loads: boolean;
  serves(options: O): readonly Served[];
  /** Returns all parameters that a variant's remote model may be sent. Absent where workflows define them. */
  parametersOf?(options: O, variant: Variant): Parameters[];
  /** Creates an engine; the connector's code is loaded here. */
  create(server: EngineServer, options: O): Promise<Engine>;
}

/** Returns the common parameters, extended by those of an entry. */
const withCommon = ({ parameters }: { parameters?: Parameters | undefined }): Parameters[] => [
  { ...PROMPT_AND_SEED, ...parameters },
];

/** Default places at a hosted service. The service scales by itself; this bounds the concurrent cost. */
const HOSTED_PLACES = 50;

const connector = <O>(one: Connector<O>): Connector<O> => one;

/**
 * All engine types. A new type needs an entry here and a folder of its own. Connectors do not use the services'
 * official clients: these resubmit by themselves, and each submit is charged.
 */
export const CONNECTORS = {
  comfyui: connector({
    options: z.strictObject({
      /** Defaults to every variant that has a workflow. */
      serves: z.array(Served).min(1).optional(),
    }),
    // one job runs and one waits, so that the server never idles
    places: 2,
    loads: true,
    serves: ({ serves }) => workflowsFor(serves),
    async create(server, { serves }) {
      const { createComfyuiEngine } = await import('#lib/engines/comfyui/engine');
      return createComfyuiEngine(server, { workflows: workflowsFor(serves) });
    },
  }),
  openai: connector({
    options: OpenaiOptions,
    // one job runs and one waits, so that the server never idles
    places: 2,
    loads: true,
    serves: ({ serves }) => serves,
    parametersOf: ({ serves }, variant) => parametersOf(servedFor(serves, variant)),
    async create(server, options) {
      const { createOpenaiEngine } = await import('#lib/engines/openai/engine');
      return createOpenaiEngine(server, options);
    },
  }),
  cog: connector({
    options: CogOptions,
    // a container refuses a second concurrent run
    places: 1,
    // a container has a single model
    loads: false,
    serves: ({ serves }) => serves,
    parametersOf: ({ serves }, variant) => withCommon(servedFor(serves, variant)),
    async create(server, options) {
      const { createCogEngine } = await import('#lib/engines/cog/engine');
      return createCogEngine(server, options);
    },
  }),
  replicate: connector({
    options: ReplicateOptions,
    places: HOSTED_PLACES,
    loads: false,
    serves: ({ serves }) => serves,
    parametersOf: ({ serves }, variant) => withCommon(servedFor(serves, variant)),
    async create(server, options) {
      const { createReplicateEngine } = await import('#lib/engines/replicate/engine');
      return createReplicateEngine(server, options);
    },
  }),
  fal: connector({
    options: FalOptions,
    places: HOSTED_PLACES,
    loads: false,
    serves: ({ serves }) => serves,
    parametersOf: ({ serves }, variant) => withCommon(servedFor(serves, variant)),
    async create(server, options) {
      const { createFalEngine } = await import('#lib/engines/fal/engine');
      return createFalEngine(server, options);
    },
  }),
};

export type EngineType = keyof typeof CONNECTORS;
