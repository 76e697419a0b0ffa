import { zipOfCollection, zipOfRequests } from '#lib/contract/library-schemas';
import { archiveGenerations } from '#lib/generations/archive';
import { answer } from '#lib/http/answer';
import { getSessionCaller } from '#lib/http/caller';
import { download } from '#lib/http/download';
import { methods } from '#lib/http/methods';
import { parseQuery } from '#lib/http/parse-part';

/** The files of `?ids=` or `?collection=` and their settings as one zip. A plain link, so that the browser writes it to disk as it comes. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: answer(async request => {
    const { accountId } = await getSessionCaller(request);
    const query = new URL(request.url).searchParams.has('collection') ? zipOfCollection : zipOfRequests;
    const which = parseQuery({ invalid: 'invalid_request', query }, request.url);
    const name = `pomona-${new Date().toISOString().slice(0, 10)}.zip`;
    return download(request, { accountId, name, type: 'application/zip' }, () => archiveGenerations(accountId, which));
  }),
});
