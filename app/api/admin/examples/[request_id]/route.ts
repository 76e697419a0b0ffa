import { studioOperations } from '#lib/contract/studio-operations';
import { listExamples, setExample, unsetExample } from '#lib/generations/examples';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { examplesToWire } from '#lib/library/to-wire';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: route(studioOperations.setExample, async ({ caller: { accountId, email }, params }) => {
    await setExample({ id: accountId, name: email }, params.request_id);
    return { body: examplesToWire(await listExamples()) };
  }),
  DELETE: route(studioOperations.unsetExample, async ({ caller: { accountId, email }, params }) => {
    await unsetExample({ id: accountId, name: email }, params.request_id);
    return { body: examplesToWire(await listExamples()) };
  }),
});
