import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { listExamples } from '#lib/generations/examples';
import { examplesToWire } from '#lib/library/to-wire';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.listExamples, async () => ({ body: examplesToWire(await listExamples()) })),
});
