import { notFound } from 'next/navigation';
import { RetiredModel } from '#components/studio/retired-model';
import { catalog } from '#lib/catalog/catalog';
import { nearestTo } from '#lib/catalog/nearest';

interface Props {
  params: Promise<{ architecture: string }>;
  searchParams: Promise<Record<string, string>>;
}

const find = async (params: Props['params']) => {
  const { architecture } = await params;
  return catalog().find(architecture) ?? notFound();
};

export async function generateMetadata({ params }: Pick<Props, 'params'>) {
  const { name } = await find(params);
  return { title: `Create with ${name}` };
}

/** The layout shows the composer of a live model; this page covers the others. Unknown ids are not found. */
export default async function Page({ params, searchParams }: Props) {
  const architecture = await find(params);
  const live = catalog().list();
  if (live.includes(architecture)) return null;
  const query = new URLSearchParams(await searchParams).toString();
  return (
    <RetiredModel
      id={architecture.id}
      name={architecture.name}
      nearest={nearestTo(architecture, live)}
      query={query && `?${query}`}
    />
  );
}
