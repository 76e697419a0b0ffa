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

/** Why code could not be loaded. */
export const REASON = 'You may be offline, or Pomona has a new version.';

/** For an `import` whose error message is shown to the user: replaces the bundler's message with REASON. */
export const withReason = (): never => {
  throw new Error(REASON);
};

/** Calls `act` with code loaded on demand; if loading fails, a toast with `title` says what was not done. */
export const byCode = <T,>(code: Promise<T>, act: (code: T) => unknown, title: string): void =>
  void code.then(act, () => toast({ title, description: REASON, tone: 'bad' }));

/** Code failed to load: the network or the server is unreachable. `forget` allows another attempt. */
type Missing = Error & { forget: () => void };
const isMissing = (error: unknown): error is Missing => error instanceof Error && 'forget' in error;

/** A component whose code loads when it is first rendered, or on `near`. It must be inside `InPlace` or `Opening`. */
export function onDemand<P extends object>(load: () => Promise<ComponentType<P>>) {
  const begin = () => lazy(() => load().then(part => ({ default: part }), fail));
  const fail = (error: Error): never => {
    throw Object.assign(error, { forget: () => (Part = begin()) });
  };
  let Part = begin();
  const OnDemand = (props: P) => <Part {...props} />;
  return Object.assign(OnDemand, { near: () => void load().catch(() => {}) });
}

/** Like `onDemand`, for parts that every visit shows: the code loads during hydration, which does not wait for it. */
export function besidePage<P extends object>(load: () => Promise<ComponentType<P>>) {
  const Part = onDemand(load);
  if (typeof window !== 'undefined') Part.near();
  return Part;
}

/**
 * A part of the page. Its server-rendered markup stays until its code has loaded, whatever changes around it: it
 * hydrates as it was rendered, then the changes follow. If loading fails, an error with a retry button takes its place.
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

/** Reports in a layout effect, before the part handles any input, so that input applies to the current state. */
function There({ tell }: { tell: (is: boolean) => void }) {
  useLayoutEffect(() => tell(true), [tell]);
  return null;
}

/** Wraps what opens over the page. If its code fails to load, a toast says so and the page stays as it was. */
export const Opening = ({
  onClose,
  fallback = <Coming onClose={onClose} />,
  children,
}: {
  onClose: () => void;
  /** Shown while the code loads; by default nothing. */
  fallback?: ReactNode;
  children: ReactNode;
}) => (
  <Boundary onClose={onClose}>
    <Suspense fallback={fallback}>{children}</Suspense>
  </Boundary>
);

/** Lets Escape close what is still loading. */
function Coming({ onClose }: { onClose: () => void }) {
  useCloseRequests(onClose);
  return null;
}

/** Next's own `catchError` would include its whole error page in every page. */
class Boundary extends Component<{ onClose?: () => void; children: ReactNode }, { error: unknown }> {
  override state = { error: null as unknown };

  static getDerivedStateFromError = (error: unknown) => ({ error });

  override componentDidCatch(error: unknown) {
    if (!isMissing(error)) return;
    error.forget();
    if (!this.props.onClose) return addEventListener('online', this.again, { once: true });
    toast({
      title: 'This could not be opened.',
      description: `${REASON} Try again, or reload the page.`,
      tone: 'bad',
    });
    this.props.onClose();
    // rendered together with the change of the URL: any earlier, the same part would be requested again and fail
    startTransition(this.again);
  }

  again = () => this.setState({ error: null });

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    // errors of the part itself are not handled here
    if (!isMissing(error)) throw error;
    if (this.props.onClose) return null;
    // plain elements keep this small: every page includes it, and it is rarely shown
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
