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

/** A kind of server that Pomona can talk to. */
export interface Connector<O> {
  /** Members of an entry of engines.json that only this type has. */
  options: z.ZodType<O>;
  /** Generations that a server takes at a time, when its entry does not say. */
  places: number;
  /** Whether a server of one's own has one of several models in memory, and takes its time for another. */
  loads: boolean;
  serves(options: O): readonly Served[];
  /** Everything that the remote model of a variant may be sent of a job; without it workflows say that. */
  parametersOf?(options: O, variant: Variant): Parameters[];
  /** Loads the code of the connector. */
  create(server: EngineServer, options: O): Promise<Engine>;
}

/** Where an entry adds to what nearly every model takes. */
const withCommon = ({ parameters }: { parameters?: Parameters | undefined }): Parameters[] => [
  { ...PROMPT_AND_SEED, ...parameters },
];

/** Hosted services have queues and machines of their own; this bounds what they may cost at a time. */
const HOSTED_PLACES = 50;

const connector = <O>(one: Connector<O>): Connector<O> => one;

/**
 * Every type of engine. One more is one more entry, and its folder. None uses its service's own client: these submit again by
 * themselves, which is paid again.
 */
export const CONNECTORS = {
  comfyui: connector({
    options: z.strictObject({
      /** Left out: whatever there is a workflow for. */
      serves: z.array(Served).min(1).optional(),
    }),
    // one runs, and one waits behind it so that the server never idles
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
    // one is made, and one waits behind it so that the server never idles
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
    // a container refuses a second run
    places: 1,
    // it has one model, whatever is made of it
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
