'use client';

import { useRouter } from 'next/navigation';
import { useQuery } from '@tanstack/react-query';
import { AtServer } from '#components/engines/at-server';
import { EngineEditor } from '#components/engines/engine-editor';
import { BackLink } from '#components/ui/back-link';
import { PageView } from '#components/ui/query-view';
import { toast } from '#components/ui/toast';
import { operatorApi } from '#lib/client/operator-api';
import { engineQuery, examinationQuery } from '#lib/client/admin-queries';

/** Changes and tests a connected engine. */
export function EditPage({ id }: { id: string }) {
  const router = useRouter();
  const engine = useQuery(engineQuery(id));
  const found = useQuery(examinationQuery(engine.data));
  return (
    <div className="grid grid-cols-1 gap-8">
      <header className="grid gap-3">
        <BackLink href="/admin/engines">All engines</BackLink>
        <h2 className="font-title text-title">{id}</h2>
      </header>
      <PageView query={engine}>
        {entry => (
          <EngineEditor
            initial={entry}
            found={found.data?.type === entry.type ? found.data : undefined}
            there={<AtServer entry={entry} query={found} />}
            save="Save"
            onSave={async changed => {
              await operatorApi.replaceEngine({ params: { engine_id: id }, body: changed });
              toast({ tone: 'good', title: `${changed.id} is saved.` });
              router.push('/admin/engines');
            }}
          />
        )}
      </PageView>
    </div>
  );
}
