import { ErrorsPage } from '#components/docs/errors-page';
import { ERROR_STATUS, toWireCode, type ErrorCode } from '#lib/errors';

export const metadata = { title: 'Errors' };

export default function Page() {
  const rows = (Object.keys(ERROR_STATUS) as ErrorCode[]).map(code => {
    return { code, wireCode: toWireCode(code), status: ERROR_STATUS[code] };
  });
  return <ErrorsPage rows={rows} />;
}
