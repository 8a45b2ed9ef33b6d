import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { agent } from './agent.mjs';

const app = express();
app.disable('x-powered-by');
app.use(createProxyMiddleware({ target: process.env.UPSTREAM, agent }));
app.listen(Number(process.env.PORT), '127.0.0.1');
