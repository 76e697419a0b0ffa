import { operatorRoutes } from '#lib/client/operator-routes';
import { createStudioCalls } from '#lib/client/studio-api';

/** What operators do, for the session of this browser. One function for each operation; they throw `ApiError`. */
export const operatorApi = createStudioCalls(operatorRoutes);
