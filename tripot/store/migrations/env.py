"""Run by Alembic: bring the database of the connection at hand up to date."""

from alembic import context

from tripot.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
