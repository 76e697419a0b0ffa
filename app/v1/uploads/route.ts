import { operations } from '#lib/contract/operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { createUploadTicket } from '#lib/uploads/upload-ticket';
import { listUploads } from '#lib/uploads/uploads';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(operations.listUploads, async ({ caller, query }) => ({
    body: await listUploads(caller.accountId, query),
  })),
  POST: route(operations.createUpload, async ({ caller, body }) => {
    const { content_type, file_name } = await body();
    return { body: await createUploadTicket(caller.accountId, content_type, file_name) };
  }),
});
