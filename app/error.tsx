'use client';

/** Fallback for a page that failed. Plain elements only: shown even if no more code loads, and part of every page. */
export default function ErrorPage({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return (
    <main className="gutter m-auto grid max-w-xl justify-items-start gap-5 py-32">
      <h1 className="font-title text-head">Something went wrong.</h1>
      <p className="text-lg text-soft">
        The page could not be shown. Nothing was charged for it.
        {error.digest && (
          <>
            {' '}
            If it persists, tell the operator the number <span className="figures text-ink">{error.digest}</span>.
          </>
        )}
      </p>
      <button
        type="button"
        onClick={retry}
        className="min-h-10 rounded-md bg-accent px-4 text-sm font-medium text-on-accent hover:bg-accent-lift"
      >
        Try again
      </button>
      {/* oxlint-disable-next-line nextjs/no-html-link-for-pages -- a full load leaves the failed page behind */}
      <a href="/" className="underline underline-offset-4">
        Go to the start page
      </a>
    </main>
  );
}
