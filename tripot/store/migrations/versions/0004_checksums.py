"""Gives every table and every decision a checksum. What was written before has none."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("tables", sa.Column("checksum", sa.Integer, nullable=True))
    op.add_column("log", sa.Column("checksum", sa.Integer, nullable=True))


def downgrade() -> None:
    op.drop_column("log", "checksum")
    op.drop_column("tables", "checksum")
