import { accountOperations } from '#lib/contract/account-operations';
import { adminOperations } from '#lib/contract/admin-operations';
import { apiKeyOperations } from '#lib/contract/api-key-operations';
import { castOperations } from '#lib/contract/cast-operations';
import { engineOperations } from '#lib/contract/engine-operations';
import { gemOperations } from '#lib/contract/gem-operations';
import { libraryOperations } from '#lib/contract/library-operations';
import { noticeOperations } from '#lib/contract/notice-operations';
import { signInOperations } from '#lib/contract/sign-in-operations';

/** Every operation that the pages use beside `/v1`, with the session of a browser. */
export const studioOperations = {
  ...signInOperations,
  ...accountOperations,
  ...apiKeyOperations,
  ...noticeOperations,
  ...gemOperations,
  ...castOperations,
  ...libraryOperations,
  ...adminOperations,
  ...engineOperations,
};
