import type { ReactNode } from 'react';
import {
  BookOpen,
  ChefHat,
  FolderHeart,
  Images,
  Shapes,
  ShieldCheck,
  Sprout,
  Upload,
  UserRound,
  UsersRound,
} from 'lucide-react';
import { AccountMenu, type SignedIn } from '#components/account/account-menu';
import { LiveBalance } from '#components/account/live-balance';
import { OwnAccountPage } from '#components/account/own-account-page';
import { OfferHost } from '#components/carry/offer-host';
import { LiveDock } from '#components/generations/live-dock';
import { LiveWatch } from '#components/generations/live-watch';
import { AppShell, type NavItem } from '#components/layout/app-shell';
import { ConnectionBanner } from '#components/layout/connection-banner';
import { Known } from '#components/layout/known';
import { QueryProvider } from '#components/layout/query-provider';
import { LibraryDialogs } from '#components/library/library-dialogs';
import { PaletteButton, StudioKeys } from '#components/layout/studio-keys';
import { NoticeBell } from '#components/notices/notice-bell';
import { answer } from '#lib/client/answer';
import { liveRequestsQuery } from '#lib/client/live-requests';
import type { RequestWire } from '#lib/contract/schemas';

const ITEMS: NavItem[] = [
  {
    href: '/create',
    label: 'Create',
    icon: <Sprout aria-hidden />,
    phone: true,
    ways: ['/recipes', '/matrix'],
    takes: 'use',
  },
  { href: '/recipes', label: 'Recipes', icon: <ChefHat aria-hidden /> },
  { href: '/history', label: 'History', icon: <Images aria-hidden />, phone: true, ways: ['/collections'] },
  {
    href: '/collections',
    label: 'Collections',
    icon: <FolderHeart aria-hidden />,
    takes: 'collect',
  },
  {
    href: '/characters',
    label: 'Characters',
    icon: <UsersRound aria-hidden />,
    phone: true,
    ways: ['/references', '/uploads'],
  },
  { href: '/references', label: 'References', icon: <Shapes aria-hidden /> },
  { href: '/uploads', label: 'Uploads', icon: <Upload aria-hidden /> },
  { href: '/docs', label: 'API', icon: <BookOpen aria-hidden /> },
  { href: '/account', label: 'Account', icon: <UserRound aria-hidden />, phone: true },
];
const OPERATOR: NavItem = { href: '/admin', label: 'Operator', icon: <ShieldCheck aria-hidden />, phone: true };

/** Shell of all pages that need an account. */
export function StudioShell({
  account,
  live,
  children,
}: {
  account: SignedIn & { balance: number };
  live: RequestWire[];
  children: ReactNode;
}) {
  return (
    <QueryProvider>
      <Known answers={[answer(liveRequestsQuery, { live, ended: [] })]}>
        <LiveWatch owner={account.id} />
        <AppShell
          items={account.operator ? [...ITEMS, OPERATOR] : ITEMS}
          find={<PaletteButton />}
          balance={<LiveBalance initial={account.balance} />}
          account={<AccountMenu {...account} />}
          told={<ConnectionBanner />}
          dock={
            <>
              <NoticeBell />
              <LiveDock />
            </>
          }
        >
          <OwnAccountPage value={account.operator ? `/admin/accounts/${account.id}` : null}>{children}</OwnAccountPage>
        </AppShell>
        <LibraryDialogs />
        <OfferHost />
        <StudioKeys operator={account.operator} />
      </Known>
    </QueryProvider>
  );
}
