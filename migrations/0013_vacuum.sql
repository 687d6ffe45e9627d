-- Large tables are vacuumed after a share of their rows has changed, by default a fifth: at twenty million orders that is
-- weeks of dead rows, which every list then reads past. Smaller shares, and pages that waste less where rows seldom grow.
ALTER TABLE orders SET (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE order_counts SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
ALTER TABLE order_intake_keys SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
ALTER TABLE events SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
ALTER TABLE webhook_cursors SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
ALTER TABLE webhook_deliveries SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
