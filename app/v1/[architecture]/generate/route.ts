import { operations } from '#lib/contract/operations';
import { submitGeneration } from '#lib/generations/submit';
import { toLiveWire, toWire } from '#lib/generations/to-wire';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(
    operations.generate,
    async ({ caller, found, params, headers, flaws, body, signal }) => {
      const { generation, replayed, warnings } = await submitGeneration({
        caller,
        architectureId: params.architecture,
        idempotencyKey: headers['idempotency-key'],
        first: found,
        maxGems: headers['max-gems'],
        webhook: headers['pomona-webhook'],
        beside: flaws,
        body,
        signal,
      });
      if (!replayed) return { status: 202, body: toWire(generation, warnings) };
      return { status: 200, body: await toLiveWire(generation), headers: { 'idempotency-replayed': 'true' } };
    },
    { reads: 'first answer', judgesHeaders: true },
  ),
});
