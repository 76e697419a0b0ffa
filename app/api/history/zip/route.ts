import { zipOfCollection, zipOfRequests } from '#lib/contract/library-schemas';
import { archiveGenerations } from '#lib/generations/archive';
import { answer } from '#lib/http/answer';
import { getSessionCaller } from '#lib/http/caller';
import { download } from '#lib/http/download';
import { methods } from '#lib/http/methods';
import { parseQuery } from '#lib/http/parse-part';

/** Zip of the files of `?ids=` or `?collection=`, with settings. A plain link, so the browser streams it to disk. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: answer(async request => {
    const { accountId } = await getSessionCaller(request);
    const query = new URL(request.url).searchParams.has('collection') ? zipOfCollection : zipOfRequests;
    const which = parseQuery({ invalid: 'invalid_request', query }, request.url);
    const name = `pomona-${new Date().toISOString().slice(0, 10)}.zip`;
    return download(request, { accountId, name, type: 'application/zip' }, () => archiveGenerations(accountId, which));
  }),
});
