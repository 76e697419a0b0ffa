import { z } from 'zod';
import { cursor, described, ownCursor, text, wholeNumber } from '#lib/contract/values';
import { requestStatus, mediaType } from '#lib/contract/schemas';
import { cancelGeneration } from '#lib/generations/cancel';
import { estimateGeneration } from '#lib/generations/estimate';
import { listGenerations } from '#lib/generations/list';
import { searchCreations } from '#lib/generations/search-creations';
import { submitGeneration } from '#lib/generations/submit';
import { toLiveWire, toLiveWires, toWire } from '#lib/generations/to-wire';
import { MEDIA_DAYS, mediaSince } from '#lib/media/lifetime';
import { showRequest } from '#lib/mcp/show-request';
import { ADDS, ENDS, READS, tool, type Tool } from '#lib/mcp/tool';
import { watchRequest } from '#lib/mcp/watch-request';

const architecture = described('An id of list_models', z.string());
const config = described(
  'A partial config with the fields of get_model; only prompt is required, what is left out keeps its default. In the prompt, @handle means a saved character or reference, @image1, @image2 and so on the reference images of this config in their order. A media field takes an https link, the url of create_upload or a data URL: a file attached to the chat does not reach the service by itself.',
  z.record(z.string(), z.unknown()),
);
const request_id = described('The request_id of generate', z.string());
export const limit = described('How many at most; 50 when left out', wholeNumber(1, 200).default(50));

/** Tools for requests: price, submit, wait, cancel, history, search. */
export const requestTools: Record<string, Tool> = {
  estimate_cost: tool({
    title: 'Estimate the cost',
    scope: 'generate',
    description:
      'The price in gems of a generation, whether the gems are enough, of the account and of the budget that you have (budget_left), and everything that generate would refuse (issues). Costs nothing. Quote the price to the person before generate. requires_media_measurement says that the length of a source video decides and could not be measured, so that the price may be higher.',
    input: z.object({ architecture, config }),
    annotations: READS,
    invalid: 'invalid_config',
    run: async ({ architecture, config }, { caller, signal }) => ({
      structured: await estimateGeneration(caller, architecture, config, signal),
    }),
  }),

  generate: tool({
    title: 'Generate',
    scope: 'generate',
    description: `Spends gems: submits a generation and answers at once with the request and the price charged. Tell the person the price first (estimate_cost). Then wait with get_request. A failed generation is refunded, a cancelled one is not. Results are kept for ${MEDIA_DAYS} days (expires_at says until when).`,
    input: z.object({
      architecture,
      config,
      idempotency_key: described(
        'A new UUID for each new generation. Use one again only to repeat a call whose answer was lost: it then answers with the same request and charges nothing.',
        z.uuid('a UUID, new for each new generation').toLowerCase(),
      ),
    }),
    annotations: { ...ADDS, idempotentHint: true },
    invalid: 'invalid_config',
    run: async ({ architecture, config, idempotency_key }, { caller, signal }) => {
      const { generation, replayed, warnings } = await submitGeneration({
        caller,
        architectureId: architecture,
        idempotencyKey: idempotency_key,
        body: async () => config,
        signal,
      });
      return showRequest(replayed ? await toLiveWire(generation) : toWire(generation, warnings), caller);
    },
  }),

  get_request: tool({
    title: 'Get a request',
    scope: 'read',
    description:
      'A request: its state, price, result or error. With wait_seconds it answers as soon as the request is completed, failed or cancelled, or when the time is up; call it again while it is queued or in_progress. Give the person the link of the result, and say until when it is kept.',
    input: z.object({
      request_id,
      wait_seconds: described('Seconds to wait for the end, 0 to 120', wholeNumber(0, 120).default(0)),
    }),
    annotations: READS,
    waits: true,
    run: async ({ request_id, wait_seconds }, call) =>
      showRequest(await toLiveWire(await watchRequest(request_id, wait_seconds, call)), call.caller),
  }),

  cancel_request: tool({
    title: 'Cancel a request',
    scope: 'generate',
    description: 'Stops a request that is queued or in progress. The gems are not refunded: ask the person first.',
    input: z.object({ request_id }),
    annotations: ENDS,
    run: async ({ request_id }, { caller }) =>
      showRequest(toWire(await cancelGeneration(caller.accountId, request_id)), caller),
  }),

  list_history: tool({
    title: 'List the history',
    scope: 'read',
    description: `Requests of the last ${MEDIA_DAYS} days, newest first, those made in the studio too.`,
    input: z.object({
      limit,
      cursor,
      type: mediaType.optional(),
      status: requestStatus.optional(),
    }),
    annotations: READS,
    run: async ({ type, status, ...page }, { caller }) => {
      const { data, nextCursor } = await listGenerations(caller.accountId, {
        ...page,
        type: type && [type],
        status: status && [status],
        since: mediaSince(new Date()),
        removed: false,
      });
      return { structured: { data: await toLiveWires(data), next_cursor: nextCursor } };
    },
  }),

  search_creations: tool({
    title: 'Search creations',
    scope: 'read',
    description:
      'Results whose prompt has words that begin so, in any order; those that are kept beyond their time come first. Use their urls as inputs of new generations.',
    input: z.object({ query: described('Words of the prompt', text(1, 200)), limit, cursor: ownCursor }),
    annotations: READS,
    run: async ({ query, ...page }, { caller }) => {
      const { data, nextCursor } = await searchCreations(caller.accountId, query, page);
      return { structured: { data: data.map(one => toWire(one)), next_cursor: nextCursor } };
    },
  }),
};
