import { z } from 'zod';
import { getAccount } from '#lib/accounts/accounts';
import { getArchitecture } from '#lib/catalog/catalog';
import { catalogResponse } from '#lib/catalog/catalog-response';
import { mediaType } from '#lib/contract/schemas';
import { described } from '#lib/contract/values';
import { READS, tool, type Tool } from '#lib/mcp/tool';

const architecture = described('An id of list_models', z.string());

/** Tools for the models with their prices, and for the balance of the account. */
export const catalogTools: Record<string, Tool> = {
  list_models: tool({
    title: 'List models',
    scope: 'read',
    description:
      'Models that make images, video and audio, with the price in gems of their default config. Models come and go: look here instead of assuming a name. get_model has the fields of one.',
    input: z.object({
      type: described('Only models that make this', mediaType.optional()),
      include_opt_in: described('Also models that are listed only on request', z.boolean().optional()),
    }),
    annotations: READS,
    run: async ({ type, include_opt_in = false }) => {
      const { architectures } = catalogResponse().body;
      const offered = architectures.filter(one => (!type || one.type === type) && (include_opt_in || !one.opt_in));
      const models = offered.map(({ id, name, type, description, gems }) => ({ id, name, type, description, gems }));
      return { structured: { models } };
    },
  }),

  get_model: tool({
    title: 'Get a model',
    scope: 'read',
    description:
      'Everything about one model: the fields of its config (input_schema), allowed tokens (options, narrower for variants in options_by_model), which variants take @mentions, which fields take media, defaults and price. Read it before the first config for a model.',
    input: z.object({ architecture }),
    annotations: READS,
    run: async ({ architecture }) => {
      const { id } = getArchitecture(architecture);
      return { structured: catalogResponse().body.architectures.find(entry => entry.id === id)! };
    },
  }),

  get_account: tool({
    title: 'Get the balance',
    scope: 'account',
    description: 'How many gems the account has.',
    input: z.object({}),
    annotations: READS,
    run: async (_none, { caller }) => {
      const { balance } = await getAccount(caller.accountId);
      return { structured: { gems: { balance } } };
    },
  }),
};
