import { operatorRoutes } from '#lib/client/operator-routes';
import { createStudioCalls } from '#lib/client/studio-api';

/** The operators' operations, for the session of this browser: a function for each, which throws `ApiError`. */
export const operatorApi = createStudioCalls(operatorRoutes);
