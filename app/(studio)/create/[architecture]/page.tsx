import { notFound } from 'next/navigation';
import { CreatePage } from '#components/studio/create-page';
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

export default async function Page({ params }: Props) {
  const { id } = await find(params);
  return <CreatePage id={id} revision={catalogResponse().revision} />;
}
