import { Invites } from '#components/admin/invites';

export const metadata = { title: 'Invitations' };

export default function InvitesPage() {
  return <Invites />;
}
