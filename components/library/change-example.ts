import type { QueryClient } from '@tanstack/react-query';
import { toast } from '#components/ui/toast';
import { operatorApi } from '#lib/client/operator-api';
import { examplesQuery } from '#lib/client/prompt-queries';

/** Sets or unsets a result as the example of its model. */
export async function changeExample(queries: QueryClient, request_id: string, isOn: boolean): Promise<void> {
  try {
    const { data } = await operatorApi[isOn ? 'setExample' : 'unsetExample']({ params: { request_id } });
    queries.setQueryData(examplesQuery.queryKey, data);
    if (isOn)
      toast({
        tone: 'good',
        title: 'Now the example of its model',
        description: 'Everyone sees it, also on the home page. It is kept.',
      });
  } catch (error) {
    toast({ tone: 'bad', title: 'The example was not changed.', description: (error as Error).message });
  }
}
