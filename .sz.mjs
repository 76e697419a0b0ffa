import {readFileSync,statSync} from 'fs';import {join} from 'path';
const R=process.argv[2]; const routes=JSON.parse(readFileSync(join(R,'.next/diagnostics/route-bundle-stats.json')));
for(const {route,firstLoadChunkPaths} of routes) if(['/history','/create','/'].includes(route)) console.log(route, firstLoadChunkPaths.reduce((s,p)=>s+statSync(join(R,p+'.br')).size,0), 150.05*1024);
