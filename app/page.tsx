export const dynamic = 'force-dynamic';

export default function StartPage() {
  return (
    <main>
      <h1>Pomona</h1>
    </main>
  );
}
