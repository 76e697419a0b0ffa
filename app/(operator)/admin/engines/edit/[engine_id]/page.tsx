import { cache } from 'react';
import { EditPage } from '#components/engines/edit-page';
import { getPageOperator, orNotFound } from '#lib/auth/page-account';
import { getEngine } from '#lib/operator/change-engines';

/** Returns the engine, for operators only. */
const read = cache(async (id: string) => {
  await getPageOperator();
  return orNotFound(Promise.resolve(id).then(getEngine));
});

export async function generateMetadata({ params }: PageProps<'/admin/engines/edit/[engine_id]'>) {
  return { title: (await read((await params).engine_id)).id };
}

export default async function Page({ params }: PageProps<'/admin/engines/edit/[engine_id]'>) {
  return <EditPage id={(await read((await params).engine_id)).id} />;
}
