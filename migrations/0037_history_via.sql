-- outside a transaction
-- via: 'mcp' where an assistant made the change; NULL otherwise.
ALTER TABLE order_history ADD COLUMN IF NOT EXISTS via text;
