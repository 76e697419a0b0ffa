import { Limits } from '#components/admin/limits';

export const metadata = { title: 'Limits' };

export default function LimitsPage() {
  return <Limits />;
}
