'use client';

import {
  Component,
  lazy,
  startTransition,
  Suspense,
  useLayoutEffect,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react';
import { toast } from '#components/ui/toast';
import { useCloseRequests } from '#components/ui/use-close-requests';

/** Why code did not come. */
export const REASON = 'You may be offline, or Pomona has a new version.';

/** For an `import` whose failure is told in its own message: REASON, and not what the bundler says. */
export const withReason = (): never => {
  throw new Error(REASON);
};

/** Acts by code that comes when it is wanted; where it does not come, `title` says what was not done. */
export const byCode = <T,>(code: Promise<T>, act: (code: T) => unknown, title: string): void =>
  void code.then(act, () => toast({ title, description: REASON, tone: 'bad' }));

/** Code that did not come: the network or the server is out of reach. `forget` lets it be asked for again. */
type Missing = Error & { forget: () => void };
const isMissing = (error: unknown): error is Missing => error instanceof Error && 'forget' in error;

/** A component whose code comes when it is shown first, or `near` says that it will be. It stands in `InPlace` or `Opening`. */
export function onDemand<P extends object>(load: () => Promise<ComponentType<P>>) {
  const begin = () => lazy(() => load().then(part => ({ default: part }), fail));
  const fail = (error: Error): never => {
    throw Object.assign(error, { forget: () => (Part = begin()) });
  };
  let Part = begin();
  const OnDemand = (props: P) => <Part {...props} />;
  return Object.assign(OnDemand, { near: () => void load().catch(() => {}) });
}

/** The same for what every visit of the page shows: its code is on its way while the page comes to life, which does not wait for it. */
export function besidePage<P extends object>(load: () => Promise<ComponentType<P>>) {
  const Part = onDemand(load);
  if (typeof window !== 'undefined') Part.near();
  return Part;
}

/**
 * A part of the page. What the server has drawn of it stays until its code is there, whatever changes around it meanwhile: it comes to
 * life as it was drawn, and what has changed follows. When it does not come, that is said in its place, with a way to try again.
 */
export function InPlace({ fallback, children }: { fallback?: ReactNode; children: ReactNode }) {
  const [isThere, setThere] = useState(false);
  const now = (
    <Suspense fallback={fallback}>
      {children}
      <There tell={setThere} />
    </Suspense>
  );
  const [drawn] = useState(now);
  return <Boundary>{isThere ? now : drawn}</Boundary>;
}

/** Told before anything in it listens: what is typed then goes to what is so now. */
function There({ tell }: { tell: (is: boolean) => void }) {
  useLayoutEffect(() => tell(true), [tell]);
  return null;
}

/** What opens over the page. When it does not come, a notice says so, and the page is as it was. */
export const Opening = ({
  onClose,
  fallback = <Coming onClose={onClose} />,
  children,
}: {
  onClose: () => void;
  /** What stands there meanwhile; nothing, if not told. */
  fallback?: ReactNode;
  children: ReactNode;
}) => (
  <Boundary onClose={onClose}>
    <Suspense fallback={fallback}>{children}</Suspense>
  </Boundary>
);

/** Escape closes what is on its way. */
function Coming({ onClose }: { onClose: () => void }) {
  useCloseRequests(onClose);
  return null;
}

/** Next's own `catchError` would bring all of its error page into every page. */
class Boundary extends Component<{ onClose?: () => void; children: ReactNode }, { error: unknown }> {
  override state = { error: null as unknown };

  static getDerivedStateFromError = (error: unknown) => ({ error });

  override componentDidCatch(error: unknown) {
    if (!isMissing(error)) return;
    error.forget();
    if (!this.props.onClose) return;
    toast({
      title: 'This could not be opened.',
      description: `${REASON} Try again, or reload the page.`,
      tone: 'bad',
    });
    this.props.onClose();
    // together with what the address says by then: drawn before it, the same would be asked for again while it cannot come
    startTransition(this.again);
  }

  again = () => this.setState({ error: null });

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    // a fault of the part itself is none of this
    if (!isMissing(error)) throw error;
    if (this.props.onClose) return null;
    // plain elements: every page carries them, and hardly anybody ever sees them
    return (
      <p role="alert" className="rounded-md border border-danger/50 bg-danger/8 px-4 py-3 text-sm">
        This part did not load. {REASON}{' '}
        <button type="button" onClick={this.again} className="font-medium underline underline-offset-4">
          Try again
        </button>
        , or reload the page.
      </p>
    );
  }
}
