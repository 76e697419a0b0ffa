import { Architectures } from '#components/admin/architectures';

export const metadata = { title: 'Architectures' };

export default function ArchitecturesPage() {
  return <Architectures />;
}
