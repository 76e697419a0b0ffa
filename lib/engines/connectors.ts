import { z } from 'zod';
import type { Engine, EngineServer } from '#lib/engines/engine';
import { workflowsFor } from '#lib/engines/comfyui/workflows';

/** What an engine serves: an architecture, or some of its variants. */
export const Served = z.looseObject({
  architecture: z.string().min(1),
  /** All variants when left out. */
  model_ids: z.array(z.string().min(1)).min(1).optional(),
});
export type Served = z.infer<typeof Served>;

/** A kind of server that Pomona can talk to. */
interface Connector<O> {
  /** Members of an entry of engines.json that only this type has. */
  options: z.ZodType<O>;
  /** Generations that a server takes at a time, when its entry does not say. */
  places: number;
  serves(options: O): readonly Served[];
  /** Loads the code of the connector. */
  create(server: EngineServer, options: O): Promise<Engine>;
}

const connector = <O>(one: Connector<O>): Connector<O> => one;

/** Every type of engine. One more is one more entry, and its folder. */
export const CONNECTORS = {
  comfyui: connector({
    options: z.strictObject({
      /** Left out: whatever there is a workflow for. */
      serves: z.array(Served).min(1).optional(),
    }),
    // one runs, and one waits behind it so that the server never idles
    places: 2,
    serves: ({ serves }) => workflowsFor(serves),
    async create(server, { serves }) {
      const { createComfyuiEngine } = await import('#lib/engines/comfyui/engine');
      return createComfyuiEngine(server, { workflows: workflowsFor(serves) });
    },
  }),
};

export type EngineType = keyof typeof CONNECTORS;
