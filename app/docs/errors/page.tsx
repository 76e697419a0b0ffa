import { ErrorsPage } from '#components/docs/errors-page';
import { AppError, ERROR_STATUS, type ErrorCode } from '#lib/errors';

export const metadata = { title: 'Errors' };

export default function Page() {
  const rows = (Object.keys(ERROR_STATUS) as ErrorCode[]).map(code => {
    const { status, wireCode } = new AppError(code, '');
    return { code, wireCode, status };
  });
  return <ErrorsPage rows={rows} />;
}
