import { operations } from '#lib/contract/operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { deleteUpload } from '#lib/uploads/uploads';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route(operations.deleteUpload, async ({ caller, params }) => {
    await deleteUpload(caller.accountId, params.upload_id);
    return {};
  }),
});
