import { expect, test } from 'vitest';
import { tools } from '#lib/mcp/tools';

test('each MCP tool requires its documented scope', () => {
  const needed = Object.groupBy(Object.keys(tools), name => tools[name]!.scope);
  expect(needed).toEqual({
    read: [
      'list_models',
      'get_model',
      'get_request',
      'list_history',
      'search_creations',
      'list_characters',
      'list_references',
    ],
    account: ['get_account'],
    generate: ['estimate_cost', 'generate', 'cancel_request'],
    uploads: ['create_upload'],
    cast: ['create_character', 'create_reference', 'delete_character', 'delete_reference'],
  });
});
