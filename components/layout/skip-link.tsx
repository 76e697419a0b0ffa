/** First tab stop of every page; it leads to the main element, whose id is `content`. */
export function SkipLink() {
  return (
    <a
      href="#content"
      className="fixed top-3 left-3 z-60 -translate-y-20 rounded-md bg-accent px-4 py-3 text-sm font-medium text-on-accent focus:translate-y-0"
    >
      Skip to content
    </a>
  );
}
