import { z } from 'zod';
import { inputSchema } from '#lib/contract/catalog-entry';
import { estimate, issue, listOf, mediaType, request, result, timestamp } from '#lib/contract/schemas';
import { ERROR_CODES } from '#lib/errors';
import { RUN_STATUSES } from '#lib/status';
import { count, uuid } from '#lib/contract/values';

const step = z.object({
  id: z.string(),
  name: z.string(),
  architecture: z.string(),
  type: mediaType,
});

const pricedStep = step.extend({ count: count.meta({ description: 'Number of requests in the step' }), gems: count });

/** A recipe as `GET /v1/recipes` returns it. */
export const recipe = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    input_schema: inputSchema.meta({ description: 'The body of a run as JSON Schema 2020-12' }),
    base_config: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .meta({ description: 'The default of every input that has one' }),
    steps: z.array(pricedStep).meta({ description: 'The steps of generation, in order' }),
    results: z.array(z.string()).meta({ description: 'Ids of the steps whose outputs are the result' }),
    gems: count.meta({ description: 'Price with the defaults, counting a list as one item' }),
    run_url: z.url(),
    estimate_url: z.url(),
  })
  .meta({ id: 'Recipe' });

export const recipeList = z.object({ recipes: z.array(recipe) }).meta({ id: 'RecipeList' });

export const recipeEstimate = z
  .object({
    gems: count.meta({ description: 'Price of the whole run: the sum of its requests' }),
    balance: count,
    budget_left: estimate.shape.budget_left,
    enough: estimate.shape.enough,
    steps: z.array(pricedStep),
    mentions: estimate.shape.mentions,
    issues: z.array(issue),
    warnings: estimate.shape.warnings,
  })
  .meta({ id: 'RecipeEstimate' });

const runStatus = z.enum(RUN_STATUSES);

const runStep = step.extend({
  status: z.enum(['waiting', ...RUN_STATUSES]),
  count: z.int().min(1).meta({ description: 'Number of requests in the step' }),
  completed: z.int().min(0).meta({ description: 'How many of them have their result' }),
  progress: z.number().min(0).max(1),
  gems: count.meta({ description: 'Price of the step when the run started' }),
  requests: z.array(request).meta({ description: 'The last try of each request submitted so far' }),
});

/** A run of a recipe. */
export const run = z
  .object({
    run_id: uuid,
    recipe: z.string(),
    name: z.string(),
    status: runStatus,
    inputs: z.record(z.string(), z.unknown()).meta({ description: 'As sent, with media as stored addresses' }),
    billing: z.object({
      mode: z.literal('gems'),
      gems_estimated: count.meta({
        description: 'Price of the whole run at its start; for a retried part, at the time of the retry',
      }),
      gems_charged: count.meta({ description: 'For all requests submitted so far, including failed ones' }),
      gems_refunded: count.meta({ description: 'For those that failed' }),
      gems_missing: count.meta({
        description:
          'Price of everything neither made nor in progress, as last calculated; a retry calculates it again',
      }),
    }),
    steps: z.array(runStep),
    results: z.array(result).meta({ description: 'The results made so far' }),
    error: z
      .object({ code: z.enum(['generation_failed', ...ERROR_CODES]), message: z.string(), step: z.string() })
      .nullable()
      .meta({ description: 'On a failed run: what stopped it, and in which step' }),
    created_at: timestamp,
    updated_at: timestamp,
    status_url: z.url(),
    cancel_url: z.url(),
    retry_url: z.url(),
  })
  .meta({ id: 'Run' });

export const runList = listOf(run, 'RunList');

export type RecipeWire = z.infer<typeof recipe>;
export type RecipeEstimateWire = z.infer<typeof recipeEstimate>;
export type RunWire = z.infer<typeof run>;
