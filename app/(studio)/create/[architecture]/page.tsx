import { notFound } from 'next/navigation';
import { catalogResponse } from '#lib/catalog/catalog-response';

interface Props {
  params: Promise<{ architecture: string }>;
}

const find = async (params: Props['params']) => {
  const { architecture } = await params;
  return catalogResponse().body.architectures.find(({ id }) => id === architecture) ?? notFound();
};

export async function generateMetadata({ params }: Props) {
  const { name } = await find(params);
  return { title: `Create with ${name}` };
}

/** The layout shows the composer of the model; an address that names none is not found. */
export default async function Page({ params }: Props) {
  await find(params);
  return null;
}
