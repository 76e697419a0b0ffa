import { ReadableStream, TextEncoderStream } from 'node:stream/web';
import { ledgerCsv } from '#lib/accounts/ledger-csv';
import { operations } from '#lib/contract/operations';
import { answer } from '#lib/http/answer';
import { getSessionCaller } from '#lib/http/caller';
import { download } from '#lib/http/download';
import { methods } from '#lib/http/methods';
import { parseQuery } from '#lib/http/parse-part';

const query = operations.listLedger.query.pick({ kind: true });

/** The ledger as a CSV file; `?kind=` restricts it to one kind. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: answer(async request => {
    const { accountId } = await getSessionCaller(request);
    const { kind } = parseQuery({ invalid: 'invalid_request', query }, request.url);
    const file = { accountId, name: 'pomona-ledger.csv', type: 'text/csv; charset=utf-8' };
    return download(request, file, () => {
      const text = ReadableStream.from(ledgerCsv(accountId, kind)).pipeThrough(new TextEncoderStream());
      return text as unknown as BodyInit;
    });
  }),
});
