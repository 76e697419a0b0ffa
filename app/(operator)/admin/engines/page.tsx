import { Engines } from '#components/admin/engines';

export const metadata = { title: 'Engines' };

export default function EnginesPage() {
  return <Engines />;
}
